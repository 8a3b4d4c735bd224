import assert from "node:assert/strict";
import { renameSync } from "node:fs";
import { join } from "node:path";
import { extensions, Uri } from "vscode";
import type { GitApi, Repository } from "../../src/git/gitApi.ts";
import { repositoryOf } from "../support/git/gitApi.ts";
import { createRepository, gitFolderAt, type GitFolder } from "../support/git/gitFolder.ts";

interface OpeningApi extends GitApi {
  openRepository(root: Uri): Promise<Repository | null>;
}

describe("the repository that unit tests use", () => {
  let repository: GitFolder;
  let worktree: GitFolder;
  let git: OpeningApi;
  let theirs: Repository;
  let ours: Repository;

  const open = async (folder: string): Promise<Repository> => {
    const opened = await git.openRepository(Uri.file(folder));
    assert.ok(opened);
    return opened;
  };

  before(async () => {
    repository = createRepository();
    repository.commit("one\n\nwith a body", {
      ...{ "a.ts": "one\ntwo\n", "b.ts": "b\n", "c.ts": "c1\nc2\nc3\n", "gone.ts": "gone\n", "moved.ts": "1\n2\n3\n" },
    });
    repository.git("worktree", "add", "--quiet", "-b", "side", join(repository.folder, "..", "side"));
    worktree = gitFolderAt(join(repository.folder, "..", "side"));
    repository.git("config", "commit.template", "template");
    repository.git("mv", "c.ts", "d.ts");
    repository.git("rm", "--quiet", "gone.ts");
    repository.stage({ "a.ts": "one\n2\n", "new.ts": "new" });
    repository.write("b.ts", "B\n");
    repository.write("untracked.ts", "untracked\n");
    renameSync(join(repository.folder, "moved.ts"), join(repository.folder, "there.ts"));
    repository.git("add", "--intent-to-add", "there.ts");
    const exported = await extensions.getExtension<{ getAPI(version: 1): OpeningApi }>("vscode.git")?.activate();
    assert.ok(exported);
    git = exported.getAPI(1);
    theirs = await open(repository.folder);
    ours = repositoryOf(repository);
  });
  after(() => {
    repository[Symbol.dispose]();
  });

  it("has the diffs of VS Code's, also by patterns, and of objects", async () => {
    const read = (api: Repository): Promise<readonly string[]> =>
      Promise.all([
        api.diffIndexWithHEAD(":(top,literal)a.ts"),
        api.diffIndexWithHEAD(":(top,literal)new.ts"),
        api.diffWithHEAD(":(top,literal)b.ts"),
        api.diffBlobs("HEAD:c.ts", ":0:d.ts"),
        api.diffBlobs("HEAD:a.ts", ":0:a.ts"),
      ]);
    const diffs = await read(theirs);
    assert.deepEqual(await read(ours), diffs);
    for (const index of [0, 1, 2, 4]) assert.match(diffs[index] ?? "", /^diff --git .*\n[^]*^@@ /m);
  });

  it("has the changes of VS Code's, after an update", async () => {
    const read = async (api: Repository): Promise<readonly string[]> => {
      await api.status();
      const { indexChanges, workingTreeChanges, untrackedChanges } = api.state;
      return [indexChanges, [...workingTreeChanges, ...untrackedChanges]].flatMap((list, index) =>
        list.map(({ uri, originalUri, status }) => `${index} ${status} ${originalUri.fsPath} ${uri.fsPath}`).toSorted(),
      );
    };
    const changes = await read(theirs);
    assert.deepEqual(await read(ours), changes);
    const kinds = changes.map((change) => change.slice(0, change.indexOf(" ", 2)));
    assert.deepEqual(kinds, ["0 0", "0 1", "0 2", "0 3", "1 10", "1 5", "1 7"]);
  });

  it("has the messages, settings, and box of VS Code's", async () => {
    for (const api of [theirs, ours]) {
      api.inputBox.value = "Begin";
      assert.equal(api.inputBox.value, "Begin");
      assert.equal((await api.log({ maxEntries: 5 }))[0]?.message, "one\n\nwith a body");
      assert.equal((await api.getConfig("commit.template")).trim(), "template");
      assert.equal((await api.getConfig("no.such").catch(() => "")).trim(), "");
    }
  });

  it("knows a merge in progress only as a commit, also in a worktree", async () => {
    const side = await open(worktree.folder);
    for (const api of [theirs, ours, side]) await assert.rejects(api.getCommit("MERGE_HEAD"));
    worktree.commit("two", { "a.ts": "two\n" });
    repository.git("reset", "--quiet", "--hard");
    repository.git("merge", "--quiet", "--no-commit", "--no-ff", "side");
    for (const api of [theirs, ours]) assert.ok(await api.getCommit("MERGE_HEAD"));
    await assert.rejects(side.getCommit("MERGE_HEAD"));
  });

  it("is one of the repositories of the API, which names its program, by its root", () => {
    assert.equal(git.state, "initialized");
    assert.match(git.git.path, /git/);
    const roots = git.repositories.map(({ rootUri }) => String(rootUri));
    assert.ok(roots.includes(String(Uri.file(repository.folder))), roots.join());
    assert.equal(String(ours.rootUri), String(theirs.rootUri));
  });

  it("rejects what Git cannot do", async () => {
    using empty = createRepository();
    const api = await open(empty.folder);
    await assert.rejects(api.log({ maxEntries: 5 }));
    await assert.rejects(api.diffBlobs("HEAD:none", ":0:none"));
  });
});
