import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { dirname, join } from "node:path";
import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { GitFolders } from "../../src/files/gitFolders.ts";
import { posixIt, testFolder } from "../support/testFolder.ts";

const run = promisify(execFile);

describe("the role of a file in Git", () => {
  const root = testFolder();

  it("is data in a bare repository of any name, and in its worktrees", async () => {
    await commitIn("first");
    await git("clone", "--quiet", "--bare", "first", ".bare");
    await git("-C", ".bare", "worktree", "add", "-b", "other", "../main");
    for (const path of [".bare/hooks/pre-commit", ".bare/worktrees/main/config.worktree", ".bare/HEAD"])
      assert.equal(await roleOf(path), "data", path);
    for (const path of ["main/src/a.ts", "a.ts"]) assert.equal(await roleOf(path), undefined, path);
  });

  it("is data if the data of a repository or submodule is elsewhere", async () => {
    await git("init", "--quiet", "--separate-git-dir", "meta", "work");
    assert.equal(await roleOf("meta/info/attributes"), "data");
    assert.equal(await roleOf("work/meta/info/attributes"), undefined);
    await commitIn("inner");
    await git("-C", "work", "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "../inner", "sub");
    assert.equal(await roleOf("meta/modules/sub/config"), "data");
  });

  posixIt("is its data behind a link in the repository's folder", async () => {
    await git("init", "--quiet", "work");
    await rm(join(root(), "work/.git/config"));
    await write("work/shared/config", "");
    await symlink("../shared/config", join(root(), "work/.git/config"));
    assert.equal(await roleOf("work/shared/config"), "data");
    assert.equal(await roleOf("work/shared/other"), undefined);
  });

  posixIt("is a hook where the repository runs it, by a link or by its configuration", async () => {
    await git("init", "--quiet", "work");
    await write("work/scripts/check.sh", "");
    await symlink("../../scripts/check.sh", join(root(), "work/.git/hooks/pre-commit"));
    assert.equal(await roleOf("work/scripts/check.sh"), "hook");
    assert.equal(await roleOf("work/scripts/other.sh"), undefined);
    await git("-C", "work", "config", "core.hooksPath", "tools/git");
    await mkdir(join(root(), "work/tools/git"), { recursive: true });
    assert.equal(await roleOf("work/tools/git/post-checkout.sh"), "hook");
  });

  it("is data in a folder that becomes a repository", async () => {
    const at = (path: string): string => join(root(), path);
    const paths = ["x/HEAD", "x/config", "x/objects/a", "x/refs/a"].map(at);
    const folders = new GitFolders(paths);
    for (const path of paths) assert.equal(await folders.roleOf(path), "data");
    assert.equal(await new GitFolders(paths.slice(1)).roleOf(at("x/config")), undefined);
    await write("x/head", "ref: refs/heads/main");
    assert.equal(await new GitFolders([at("x/head"), at("x/REFS/a")]).roleOf(at("x/config")), "data");
  });

  it("is none in a folder that only resembles a repository", async () => {
    for (const path of ["objects/a.ts", "refs/a.ts", "config", "src/HEAD/a.ts"]) await write(path, "");
    for (const path of ["objects/a.ts", "config", "src/HEAD/a.ts"]) assert.equal(await roleOf(path), undefined, path);
  });

  const roleOf = async (path: string): Promise<string | undefined> => new GitFolders().roleOf(join(root(), path));

  async function write(path: string, text: string): Promise<void> {
    await mkdir(dirname(join(root(), path)), { recursive: true });
    await writeFile(join(root(), path), text);
  }

  /** A repository with a commit. */
  async function commitIn(folder: string): Promise<void> {
    await git("init", "--quiet", folder);
    const author = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
    await git("-C", folder, ...author, "commit", "--quiet", "--allow-empty", "-m", "a");
  }

  async function git(...args: readonly string[]): Promise<void> {
    await run("git", args, { cwd: root() });
  }
});
