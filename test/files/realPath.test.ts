import assert from "node:assert/strict";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join, resolve, win32 } from "node:path";
import { isInside, isReallyInside, pathsInRoots, realPathOf } from "../../src/files/realPath.ts";
import { each } from "../support/each.ts";
import { testFolder } from "../support/testFolder.ts";

describe("a path in a folder", () => {
  it("is inside unless it leads out", () => {
    const folder = resolve("workspace");
    const inside = [".", "a", "a/b", "..a", "a/../b"];
    const outside = ["..", "../workspace-2", "../a", "a/../../b"];
    const found = [...inside, ...outside].filter((path) => isInside(join(folder, path), folder));
    assert.deepEqual(found, inside);
  });

  each([
    ["is inside on Windows in other letters and with other slashes", "c:\\work", "C:\\Work/a.ts", true],
    ["is outside on another drive", "c:\\work", "d:\\work\\a.ts", false],
    ["is outside on another share", "\\\\server\\share", "\\\\server\\other\\a.ts", false],
  ]).gives((folder, path) => isInside(path, folder, win32));
});

describe("a real path", () => {
  const folder = testFolder();
  let base: string;
  let root: string;

  beforeEach(async () => {
    base = folder();
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

  it("is relative to each root that contains it, also through links", async () => {
    const roots = [join(root, "docs"), join(base, "linked"), join(base, "workspace-2"), base];
    const paths = await pathsInRoots(join(root, "docs/.git/hooks"), roots);
    assert.deepEqual(paths, [".git/hooks", "docs/.git/hooks", "workspace/docs/.git/hooks"]);
  });

  it("follows every link, and is undefined for files that are missing or cannot be reached", async () => {
    assert.equal(await realPathOf(join(base, "linked/twice")), join(base, "elsewhere"));
    for (const path of ["gone", "nowhere", "loop"]) assert.equal(await realPathOf(join(root, path)), undefined);
  });

  it("is inside the workspace for existing and new files, also through links", async () => {
    for (const path of ". docs images images/new/deep within within/new file file/new ..name".split(" ")) {
      assert.equal(await isReallyInside(join(root, path), [root]), true, path);
      assert.equal(await isReallyInside(join(base, "linked", path), [join(base, "linked")]), true, path);
    }
  });

  it("is outside the workspace if a link leads out", async () => {
    for (const path of "out out/new absolute/new neighbor nowhere nowhere/new loop twice docs/up".split(" "))
      assert.equal(await isReallyInside(join(root, path), [root]), false, path);
  });

  it("may be in any folder of the workspace, and in none without an existing one", async () => {
    assert.equal(await isReallyInside(join(root, "neighbor"), [root, join(base, "workspace-2")]), true);
    assert.equal(await isReallyInside(join(base, "gone", "x"), [join(base, "gone")]), false);
  });
});
