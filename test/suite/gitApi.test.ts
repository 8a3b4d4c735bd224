import assert from "node:assert/strict";
import { renameSync } from "node:fs";
import { join } from "node:path";
import { extensions, Uri } from "vscode";
import type { GitApi, Repository } from "../../src/git/gitApi.ts";
import { repositoryOf } from "../support/git/gitApi.ts";
import { createRepository, gitFolderAt } from "../support/git/gitFolder.ts";

interface OpeningApi extends GitApi {
  openRepository(root: Uri): Promise<Repository | null>;
}

describe("the repository that unit tests use", () => {
  let git: OpeningApi;

  before(async () => {
    const exported = await extensions.getExtension<{ getAPI(version: 1): OpeningApi }>("vscode.git")?.activate();
    assert.ok(exported);
    git = exported.getAPI(1);
  });

  const open = async (folder: string): Promise<Repository> => {
    const opened = await git.openRepository(Uri.file(folder));
    assert.ok(opened);
    return opened;
  };

  it("has the diffs, changes, messages, and settings of VS Code's", async () => {
    using repository = createRepository();
    repository.commit("one\n\nwith a body", {
      ...{ "a.ts": "one\ntwo\n", "b.ts": "b\n", "c.ts": "c1\nc2\nc3\n", "gone.ts": "gone\n", "moved.ts": "1\n2\n3\n" },
    });
    repository.git("config", "commit.template", "template");
    repository.git("mv", "c.ts", "d.ts");
    repository.git("rm", "--quiet", "gone.ts");
    repository.stage({ "a.ts": "one\n2\n", "new.ts": "new" });
    repository.write("b.ts", "B\n");
    repository.write("untracked.ts", "untracked\n");
    renameSync(join(repository.folder, "moved.ts"), join(repository.folder, "there.ts"));
    repository.git("add", "--intent-to-add", "there.ts");

    const read = async (api: Repository): Promise<Readonly<Record<string, unknown>>> => {
      await api.status();
      const { indexChanges, workingTreeChanges, untrackedChanges } = api.state;
      const listed = (changes: typeof indexChanges): readonly string[] =>
        changes.map(({ uri, originalUri, status }) => `${status} ${originalUri.path} ${uri.path}`).toSorted();
      return {
        root: String(api.rootUri),
        staged: listed(indexChanges),
        unstaged: listed([...workingTreeChanges, ...untrackedChanges]),
        diffs: [
          await api.diffIndexWithHEAD(":(top,literal)a.ts"),
          await api.diffIndexWithHEAD(":(top,literal)new.ts"),
          await api.diffWithHEAD(":(top,literal)b.ts"),
          await api.diffBlobs("HEAD:c.ts", ":0:d.ts"),
          await api.diffBlobs("HEAD:a.ts", ":0:a.ts"),
        ],
        message: (await api.log({ maxEntries: 5 }))[0]?.message,
        template: (await api.getConfig("commit.template")).trim(),
        noSetting: (await api.getConfig("no.such").catch(() => "")).trim(),
      };
    };
    const theirs = await read(await open(repository.folder));
    assert.deepEqual(await read(repositoryOf(repository)), theirs);
    const { message, template, noSetting } = theirs;
    assert.deepEqual([message, template, noSetting], ["one\n\nwith a body", "template", ""]);
    assert.match(JSON.stringify(theirs.diffs), /^\["diff --git .*@@ .*"diff --git/);
    assert.ok(git.repositories.some(({ rootUri }) => String(rootUri) === theirs.root));
    assert.match(git.git.path, /git/);
  });

  it("knows a merge in progress only as a commit, also in a worktree, and rejects what Git cannot do", async () => {
    using repository = createRepository();
    const { folder } = repository;
    for (const api of [await open(folder), repositoryOf(repository)]) {
      await assert.rejects(api.log({ maxEntries: 5 }));
      await assert.rejects(api.diffBlobs("HEAD:none", ":0:none"));
    }
    repository.commit("one", { "a.ts": "one\n" });
    repository.git("worktree", "add", "--quiet", "-b", "side", join(folder, "..", "side"));
    const worktree = gitFolderAt(join(folder, "..", "side"));
    worktree.commit("two", { "a.ts": "two\n" });
    const [theirs, ours, side] = [await open(folder), repositoryOf(repository), await open(worktree.folder)];
    for (const api of [theirs, ours]) await assert.rejects(api.getCommit("MERGE_HEAD"));
    repository.git("merge", "--quiet", "--no-commit", "--no-ff", "side");
    for (const api of [theirs, ours]) assert.ok(await api.getCommit("MERGE_HEAD"));
    await assert.rejects(side.getCommit("MERGE_HEAD"));
  });
});
