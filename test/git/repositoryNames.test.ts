import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { readRepository } from "../../src/git/repository.ts";
import { repositoryNames } from "../../src/git/repository.ts";

describe("the names of repositories", () => {
  const cases: readonly (readonly [string, readonly string[], readonly string[]])[] = [
    ["are those of their folders", ["/home/me/harbor", "/home/me/pier"], ["harbor", "pier"]],
    ["have the folder above if two are alike", ["/home/me/harbor", "/tmp/harbor"], ["me/harbor", "tmp/harbor"]],
    ["tell a submodule from its repository", ["/a/harbor", "/a/harbor/harbor"], ["a/harbor", "harbor/harbor"]],
    ["tell the root of a drive", ["/harbor", "/a/harbor"], ["harbor", "a/harbor"]],
    [
      "read the paths of Windows",
      [String.raw`C:\me\harbor`, String.raw`D:\me\harbor`],
      ["C:/me/harbor", "D:/me/harbor"],
    ],
  ];
  for (const [title, roots, names] of cases) {
    it(title, () => {
      assert.deepEqual(
        roots.map((root) => repositoryNames(roots).get(root)),
        names,
      );
    });
  }

  it("are never the same", () => {
    const part = fc.constantFrom("a", "b", "c");
    const root = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => `/${parts.join("/")}`);
    fc.assert(
      fc.property(fc.uniqueArray(root), (roots) => {
        const names = roots.map((one) => repositoryNames(roots).get(one));
        assert.equal(new Set(names).size, roots.length);
      }),
    );
  });

  it("and kinds are read from the Git extension, whatever its version tells", () => {
    const root = join("/", "ports", "harbor");
    const api = { rootUri: { fsPath: root }, inputBox: { value: "" }, state: {} };
    assert.equal(readRepository(api)?.name, "harbor");
    assert.equal(readRepository(api, new Map([[root, "ports/harbor"]]))?.name, "ports/harbor");
    for (const [kind, expected] of [
      ["worktree", "worktree"],
      ["submodule", "submodule"],
      ["repository", "repository"],
      [undefined, "repository"],
      ["of another version", "repository"],
    ]) {
      assert.equal(readRepository({ ...api, kind })?.kind, expected);
    }
  });
});
