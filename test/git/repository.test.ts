import assert from "node:assert/strict";
import { join } from "node:path";
import { readRepository } from "../../src/git/repository.ts";

describe("a repository of the Git extension", () => {
  const root = join("/", "ports", "harbor");
  const api = { rootUri: { fsPath: root }, inputBox: { value: "" }, state: {} };

  it("has the name of its folder, and is a repository where its kind is not known", () => {
    for (const kind of ["worktree", "submodule", "repository", undefined, "of another version"]) {
      const read = readRepository({ ...api, kind });
      const expected = kind === "worktree" || kind === "submodule" ? kind : "repository";
      assert.deepEqual([read?.name, read?.kind], ["harbor", expected]);
    }
  });
});
