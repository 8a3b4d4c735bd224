import assert from "node:assert/strict";
import { mkdir, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { GitFolders } from "../../src/files/gitFolders.ts";
import { type GitFolder, gitFolderAt } from "../support/git/gitFolder.ts";
import { posixIt, testFolder } from "../support/testFolder.ts";

describe("the role of a file in Git", () => {
  const root = testFolder();
  let top: GitFolder;

  beforeEach(() => {
    top = gitFolderAt(root());
  });

  it("is data in a bare repository of any name, and in its worktrees", async () => {
    commitIn("first");
    top.git("clone", "--quiet", "--bare", "first", ".bare");
    top.git("-C", ".bare", "worktree", "add", "-b", "other", "../main");
    for (const path of [".bare/hooks/pre-commit", ".bare/worktrees/main/config.worktree", ".bare/HEAD"])
      assert.equal(await roleOf(path), "data", path);
    for (const path of ["main/src/a.ts", "a.ts"]) assert.equal(await roleOf(path), undefined, path);
  });

  it("is data if the data of a repository or submodule is elsewhere", async () => {
    top.git("init", "--quiet", "--separate-git-dir", "meta", "work");
    assert.equal(await roleOf("meta/info/attributes"), "data");
    assert.equal(await roleOf("work/meta/info/attributes"), undefined);
    commitIn("inner");
    top.git("-C", "work", "submodule", "--quiet", "add", "../inner", "sub");
    assert.equal(await roleOf("meta/modules/sub/config"), "data");
  });

  posixIt("is its data behind a link in the repository's folder", async () => {
    top.git("init", "--quiet", "work");
    await rm(join(root(), "work/.git/config"));
    top.write("work/shared/config", "");
    await symlink("../shared/config", join(root(), "work/.git/config"));
    assert.equal(await roleOf("work/shared/config"), "data");
    assert.equal(await roleOf("work/shared/other"), undefined);
  });

  posixIt("is a hook where the repository runs it, by a link or by its configuration", async () => {
    top.git("init", "--quiet", "work");
    top.write("work/scripts/check.sh", "");
    await symlink("../../scripts/check.sh", join(root(), "work/.git/hooks/pre-commit"));
    assert.equal(await roleOf("work/scripts/check.sh"), "hook");
    assert.equal(await roleOf("work/scripts/other.sh"), undefined);
    top.git("-C", "work", "config", "core.hooksPath", "tools/git");
    await mkdir(join(root(), "work/tools/git"), { recursive: true });
    assert.equal(await roleOf("work/tools/git/post-checkout.sh"), "hook");
  });

  it("is data in a folder that becomes a repository", async () => {
    const at = (path: string): string => join(root(), path);
    const paths = ["x/HEAD", "x/config", "x/objects/a", "x/refs/a"].map(at);
    const folders = new GitFolders(paths);
    for (const path of paths) assert.equal(await folders.roleOf(path), "data");
    assert.equal(await new GitFolders(paths.slice(1)).roleOf(at("x/config")), undefined);
    top.write("x/head", "ref: refs/heads/main");
    assert.equal(await new GitFolders([at("x/head"), at("x/REFS/a")]).roleOf(at("x/config")), "data");
  });

  it("is none in a folder that only resembles a repository", async () => {
    for (const path of ["objects/a.ts", "refs/a.ts", "config", "src/HEAD/a.ts"]) top.write(path, "");
    for (const path of ["objects/a.ts", "config", "src/HEAD/a.ts"]) assert.equal(await roleOf(path), undefined, path);
  });

  const roleOf = async (path: string): Promise<string | undefined> => new GitFolders().roleOf(join(root(), path));

  const commitIn = (folder: string): void => {
    top.git("init", "--quiet", folder);
    gitFolderAt(join(root(), folder)).commit("a");
  };
});
