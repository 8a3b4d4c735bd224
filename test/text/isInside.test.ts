import assert from "node:assert/strict";
import { join, resolve } from "node:path";
import { isInside } from "../../src/text/isInside.ts";

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
