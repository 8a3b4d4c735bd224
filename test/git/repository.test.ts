import assert from "node:assert/strict";
import { join } from "node:path";
import { readRepository } from "../../src/git/repository.ts";

describe("a repository of the Git extension", () => {
  const root = join("/", "ports", "harbor");
  const api = { rootUri: { fsPath: root }, inputBox: { value: "" }, state: {} };

  for (const [kind, expected] of [
    ["worktree", "worktree"],
    ["submodule", "submodule"],
    ["repository", "repository"],
    [undefined, "repository"],
    ["of another version", "repository"],
  ] as const) {
    it(`has the name of its folder, and is a ${expected} where its kind is ${kind}`, () => {
      const read = readRepository({ ...api, kind });
      assert.deepEqual([read?.name, read?.kind], ["harbor", expected]);
    });
  }
});
