import assert from "node:assert/strict";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { ignoredAmong } from "../../src/git/ignoredAmong.ts";
import { testFolder } from "../support/testFolder.ts";

describe("the files that Git ignores", () => {
  const folder = testFolder();
  const fileAt = (path: string): { readonly scheme: string; readonly fsPath: string } => ({
    scheme: "file",
    fsPath: join(folder(), path),
  });

  beforeEach(async () => {
    for (const path of ["harbor/.git/HEAD", "harbor/src/pier.ts", "tree/.git", "tree/a.ts", "none/src/b.ts"]) {
      await mkdir(dirname(join(folder(), path)), { recursive: true });
      await writeFile(join(folder(), path), "");
    }
  });

  const places = ["harbor/src/pier.ts", "harbor/src/new.ts", "tree/a.ts", "none/src/b.ts"];

  it("include all files of repositories that cannot be asked, and none without Git, or that are not on the disk", async () => {
    const files = places.map(fileAt);
    const untitled = { scheme: "untitled", fsPath: fileAt("harbor/src/pier.ts").fsPath };
    const ignored = await ignoredAmong([...files, untitled], { repositories: [], isComplete: false });
    assert.deepEqual([...ignored], files.slice(0, 3));
    assert.equal((await ignoredAmong(files, { repositories: [], isComplete: true })).size, 0);
  });

  it("are what each repository says, and what it cannot judge", async () => {
    const [pier, fresh, other] = [fileAt("harbor/src/pier.ts"), fileAt("harbor/src/new.ts"), fileAt("tree/a.ts")];
    const checkIgnore = (paths: readonly string[]): Promise<ReadonlySet<string>> =>
      paths.includes(fresh.fsPath) ? Promise.reject(new Error("fatal")) : Promise.resolve(new Set());
    const repositories = [{ rootUri: { fsPath: join(folder(), "harbor") }, checkIgnore }];
    const ignored = await ignoredAmong([pier, fresh, other], { repositories, isComplete: false });
    assert.deepEqual([...ignored], [fresh, other]);
  });

  it("are the same where the repository was opened through a link, by paths that it takes for its own", async () => {
    const [link, pier] = [join(folder(), "link"), fileAt("link/src/pier.ts")];
    await symlink(join(folder(), "harbor"), link, "junction");
    const checkIgnore = (paths: readonly string[]): Promise<ReadonlySet<string>> =>
      Promise.resolve(new Set(paths.filter((path) => path.startsWith(`${link}${sep}`))));
    const repositories = [{ rootUri: { fsPath: link }, checkIgnore }];
    assert.deepEqual([...(await ignoredAmong([pier], { repositories, isComplete: true }))], [pier]);
  });
});
