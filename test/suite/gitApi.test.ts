import assert from "node:assert/strict";
import { extensions, Uri } from "vscode";
import { asArray, asObject } from "../../src/base/json.ts";
import { gitApiOf } from "../support/git/gitApi.ts";
import { createRepository, type GitFolder } from "../support/git/gitFolder.ts";

type GitApi = Readonly<Record<string, unknown>>;

interface GitExtension {
  getAPI(version: 1): { openRepository(root: Uri): Promise<GitApi | null> };
}

describe("the Git API that unit tests use", () => {
  let repository: GitFolder;
  let apis: readonly GitApi[];

  before(async () => {
    repository = createRepository();
    repository.commit("one\n\nwith a body", { "a.ts": "one\ntwo\n", "b.ts": "b\n", "c.ts": "c1\nc2\nc3\n" });
    repository.git("mv", "c.ts", "d.ts");
    repository.stage({ "a.ts": "one\n2\n", "new.ts": "new" });
    repository.write("b.ts", "B\n");
    const exported = (await extensions.getExtension<GitExtension>("vscode.git")?.activate())?.getAPI(1);
    const opened = await exported?.openRepository(Uri.file(repository.folder));
    assert.ok(opened);
    apis = [gitApiOf(repository), opened];
  });
  after(() => {
    repository[Symbol.dispose]();
  });

  const call = async (api: GitApi | undefined, name: string, ...values: readonly unknown[]): Promise<unknown> => {
    const method = api?.[name];
    assert.ok(typeof method === "function", name);
    return (await Reflect.apply(method, api, values)) as unknown;
  };

  it("returns the same diffs and messages as VS Code's", async () => {
    const blobs = ["HEAD:a.ts", ":a.ts"].map((object) => repository.git("rev-parse", object).trim());
    for (const [name, ...values] of [
      ["diffIndexWithHEAD", "a.ts"],
      ["diffIndexWithHEAD", "new.ts"],
      ["diffWithHEAD", "b.ts"],
      ["diffBlobs", ...blobs],
    ] as const) {
      const [ours, theirs] = await Promise.all(apis.map((api) => call(api, name, ...values)));
      assert.equal(ours, theirs, name);
      assert.match(String(ours), /^@@ /m);
    }
    const [ours, theirs] = await Promise.all(apis.map((api) => call(api, "log", { maxEntries: 5 })));
    assert.deepEqual(
      ours,
      asArray(theirs).map((commit) => ({ message: asObject(commit)?.message })),
    );
  });

  it("has the same changes as VS Code's", async () => {
    const [ours, theirs] = await Promise.all(
      apis.map(async (api) => {
        await call(api, "status");
        const state: unknown = api.state;
        return ["indexChanges", "workingTreeChanges", "mergeChanges"].map((list) =>
          asArray(Reflect.get(state as object, list)).map((change) => {
            const { uri, originalUri, status } = asObject(change) ?? {};
            return [String(uri), String(originalUri), status];
          }),
        );
      }),
    );
    const sorted = (lists: readonly unknown[][] | undefined): unknown =>
      lists?.map((list) => list.map(String).toSorted());
    assert.deepEqual(sorted(ours), sorted(theirs));
  });
});
