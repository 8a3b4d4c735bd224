import assert from "node:assert/strict";
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve, win32 } from "node:path";
import { isInside, isReallyInside, pathsInRoots, realPathOf } from "../../src/text/realPath.ts";

describe("a path in a folder", () => {
  const folder = resolve("workspace");

  for (const path of [".", "a", "a/b", "..a", "a/../b"]) {
    it(`is inside for ${path}`, () => {
      assert.equal(isInside(join(folder, path), folder), true);
    });
  }

  for (const path of ["..", "../workspace-2", "../a", "a/../../b"]) {
    it(`is outside for ${path}`, () => {
      assert.equal(isInside(join(folder, path), folder), false);
    });
  }
});

describe("a path in a folder on Windows", () => {
  const cases = [
    ["c:\\work", "C:\\Work\\a.ts", true],
    ["c:\\work", "c:/work/src/a.ts", true],
    ["c:\\work", "c:\\work-2\\a.ts", false],
    ["c:\\work", "d:\\work\\a.ts", false],
    ["c:\\", "c:\\a.ts", true],
    ["\\\\server\\share", "\\\\SERVER\\share\\a.ts", true],
    ["\\\\server\\share", "\\\\server\\other\\a.ts", false],
    ["\\\\server\\share", "z:\\a.ts", false],
  ] as const;
  for (const [folder, path, expected] of cases) {
    it(`is ${expected ? "inside" : "outside"}: ${path} in ${folder}`, () => {
      assert.equal(isInside(path, folder, win32), expected);
    });
  }
});

describe("a real path", () => {
  let base: string;
  let root: string;

  before(async () => {
    base = await realpath(await mkdtemp(join(tmpdir(), "codex-links-")));
    root = join(base, "workspace");
    await mkdir(join(root, "docs"), { recursive: true });
    await mkdir(join(base, "elsewhere"));
    await mkdir(join(base, "workspace-2"));
    await writeFile(join(root, "file"), "in the way");
    const links = {
      "workspace/out": "../elsewhere",
      "workspace/absolute": join(base, "elsewhere"),
      "workspace/neighbor": "../workspace-2",
      "workspace/nowhere": "../not-there",
      "workspace/loop": "loop",
      "workspace/twice": "out",
      "workspace/within": "docs",
      "workspace/docs/up": "../..",
      linked: "workspace",
    };
    for (const [path, target] of Object.entries(links)) await symlink(target, join(base, path), "dir");
  });

  after(() => rm(base, { recursive: true }));

  it("follows every link", async () => {
    assert.equal(await realPathOf(join(base, "linked/twice")), join(base, "elsewhere"));
  });

  it("is known in each folder that it is in, whatever folder leads there", async () => {
    const roots = [join(root, "docs"), join(base, "linked"), join(base, "workspace-2"), base];
    assert.deepEqual(await pathsInRoots(join(root, "docs/.git/hooks"), roots), [
      ".git/hooks",
      "docs/.git/hooks",
      "workspace/docs/.git/hooks",
    ]);
  });

  it("is none for what is not there, or cannot be reached", async () => {
    for (const path of ["gone", "nowhere", "loop"]) assert.equal(await realPathOf(join(root, path)), undefined);
  });

  const inside = [".", "docs", "images", "images/new/deep", "within", "within/new", "file", "file/new", "..name"];
  for (const path of inside) {
    it(`is inside the workspace for ${path}`, async () => {
      assert.equal(await isReallyInside(join(root, path), [root]), true);
      assert.equal(await isReallyInside(join(base, "linked", path), [join(base, "linked")]), true);
    });
  }

  const outside = ["out", "out/new", "absolute/new", "neighbor", "nowhere", "nowhere/new", "loop", "twice", "docs/up"];
  for (const path of outside) {
    it(`is outside of the workspace for ${path}`, async () => {
      assert.equal(await isReallyInside(join(root, path), [root]), false);
    });
  }

  it("may be in another folder of the workspace", async () => {
    assert.equal(await isReallyInside(join(root, "neighbor"), [root, join(base, "workspace-2")]), true);
  });

  it("is nowhere without a workspace that exists", async () => {
    assert.equal(await isReallyInside(join(base, "gone", "x"), [join(base, "gone")]), false);
  });
});
