import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { Uri } from "vscode";
import { findGit } from "../../src/git/findGit.ts";
import { ignoredFiles } from "../../src/git/gitExtension.ts";
import { ignoredAmong } from "../../src/git/ignoredAmong.ts";
import { createRepository, gitFolderAt, type GitFolder } from "../support/git/gitFolder.ts";
import { posixIt, testFolder } from "../support/testFolder.ts";

describe("the files that Git ignores", () => {
  let repository: GitFolder;
  let git: string;

  before(async () => {
    git = (await findGit({ named: [], folders: [] })) ?? "";
  });
  beforeEach(() => {
    repository = createRepository();
    repository.commit("one", { ".gitignore": "*.log\n!keep.log\nbuild/\n", "src/pier.ts": "" });
    repository.write("tracked.log", "");
    repository.git("add", "--force", "tracked.log");
  });
  afterEach(() => {
    repository[Symbol.dispose]();
  });

  const at = (path: string, scheme = "file"): { readonly scheme: string; readonly fsPath: string } => ({
    scheme,
    fsPath: join(repository.folder, path),
  });

  /** The verdict on each of some paths in the repository's folder. */
  async function verdicts(paths: readonly string[], program: string | undefined = git): Promise<readonly unknown[]> {
    const files = paths.map((path) => at(path));
    const reasons = await ignoredAmong(files, () => Promise.resolve(program));
    return files.map((file) => reasons.get(file));
  }

  it("are those that its patterns name and the index does not have, whether they are there yet or not", async () => {
    const open = ["src/pier.ts", "new.ts", "keep.log", "tracked.log", ":!odd.ts", "two\nlines.ts"];
    const ignored = ["a.log", "new/folder/b.log", "src/build/x.ts", ":(top)odd.log", "two\nlines.log"];
    const found = await verdicts([...open, ...ignored]);
    assert.deepEqual(found, [...open.map(() => undefined), ...ignored.map(() => "ignored")]);
  });

  it("are not asked for in Restricted Mode, where none of a repository counts as checked", async () => {
    const reasons = await ignoredFiles([Uri.file(join(repository.folder, "src/pier.ts"))]);
    assert.deepEqual([...reasons.values()], ["unchecked"]);
  });

  it("are those of the nearest repository: nested, of a submodule, or a worktree", async () => {
    using library = createRepository();
    library.commit("one", { ".gitignore": "*.tmp\n", "a.ts": "" });
    repository.git("submodule", "--quiet", "add", library.folder, "library");
    repository.git("worktree", "add", "--quiet", join(repository.folder, "build/tree"));
    mkdirSync(join(repository.folder, "nested"));
    gitFolderAt(join(repository.folder, "nested")).git("init", "--quiet");
    const paths = "library/a.tmp library/a.log nested/a.log build/tree/a.log build/tree/a.ts build/a.ts".split(" ");
    assert.deepEqual(await verdicts(paths), ["ignored", undefined, undefined, "ignored", undefined, "ignored"]);
  });

  posixIt("are those that links lead to", async () => {
    repository.write("a.log", "");
    symlinkSync("a.log", join(repository.folder, "link.ts"));
    symlinkSync("src", join(repository.folder, "linked.log"));
    symlinkSync("nowhere", join(repository.folder, "broken"));
    const paths = ["link.ts", "linked.log/pier.ts", "src/pier.ts", "broken/a.ts"];
    assert.deepEqual(await verdicts(paths), ["ignored", undefined, undefined, "unchecked"]);
  });

  posixIt("may be all where Git is not there, fails, or does not answer, but none outside repositories", async () => {
    const missing = join(repository.folder, "none");
    const fails = program("exit 0");
    const half = program(`printf 'x\\0001\\000*\\000./src/pier.ts'`);
    for (const found of [missing, fails, half]) assert.deepEqual(await verdicts(["src/pier.ts"], found), ["unchecked"]);
    const files = [at("src/pier.ts"), at("src/pier.ts", "untitled"), at("../x")];
    const reasons = await ignoredAmong(files, () => Promise.resolve(undefined));
    assert.deepEqual([...reasons], [[files[0], "unchecked"]]);
  });

  posixIt("are asked for without starting what the repository names, and whatever the environment names", async () => {
    const hook = program("touch started");
    repository.git("config", "core.fsmonitor", hook);
    repository.git("config", "core.hooksPath", dirname(hook));
    const { GIT_DIR } = process.env;
    process.env.GIT_DIR = join(repository.folder, "none");
    try {
      assert.deepEqual(await verdicts(["a.log", "src/pier.ts"]), ["ignored", undefined]);
    } finally {
      if (GIT_DIR === undefined) delete process.env.GIT_DIR;
      else process.env.GIT_DIR = GIT_DIR;
    }
    assert.ok(!existsSync(join(repository.folder, "started")));
  });

  /** A shell script in the repository's Git data. */
  function program(script: string): string {
    const path = join(repository.folder, ".git", `program-${script.length}`);
    writeFileSync(path, `#!/bin/sh\n${script}\n`);
    chmodSync(path, 0o755);
    return path;
  }
});

describe("Git is run", () => {
  const folder = testFolder();
  const make = (path: string): string => {
    const file = join(realpathSync(folder()), path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, "", { mode: 0o755 });
    return file;
  };

  it("as the settings or the Git extension name it, if that is an absolute path of a program", async () => {
    const own = make("own/git");
    const named = [undefined, 1, "git", dirname(own), join(own, "none"), own];
    assert.equal(await findGit({ named, folders: [], path: "" }), own);
  });

  posixIt("from a folder of PATH, but never from an empty or relative one, or through the workspace", async () => {
    const good = make("bin/git");
    const inWorkspace = dirname(make("workspace/bin/git"));
    const workspace = dirname(inWorkspace);
    symlinkSync(dirname(good), join(workspace, "linked"));
    symlinkSync(workspace, join(folder(), "around"));
    const links = [join(workspace, "linked"), join(folder(), "around/linked")];
    const bad = ["", ".", relative(process.cwd(), dirname(good)), inWorkspace, ...links];
    const find = (folders: readonly string[]): Promise<string | undefined> =>
      findGit({ named: [], folders: [workspace], path: folders.join(":") });
    assert.equal(await find(bad), undefined);
    assert.equal(await find([...bad, dirname(good)]), good);
  });

  it("on macOS never by the stand-in that offers to install it", async function () {
    if (!existsSync("/usr/bin/git")) this.skip();
    const find = (platform: NodeJS.Platform): Promise<string | undefined> =>
      findGit({ named: [], folders: [], path: "/usr/bin", platform });
    assert.notEqual(await find("darwin"), "/usr/bin/git");
    assert.equal(await find("linux"), "/usr/bin/git");
  });
});
