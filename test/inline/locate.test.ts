import assert from "node:assert/strict";
import { locate } from "../../src/inline/locate.ts";

describe("code that was read earlier", () => {
  const code = ["{", "  a", "}"];
  const found = (start: number): object => ({ type: "found", lines: { start, end: start + code.length } });
  const cases: readonly (readonly [string, readonly string[], number, object])[] = [
    ["is found where it was", ["x", ...code], 1, found(1)],
    ["is found where it was tracked to, even if it is there twice", [...code, "x", ...code], 4, found(4)],
    ["is found where it moved to", ["x", "y", "z", ...code], 0, found(3)],
    ["is found at the end of the document", ["x", ...code], 0, found(1)],
    ["is not found once a line of it has changed", ["{", "  b", "}"], 0, { type: "changed" }],
    ["is not found once its indentation has changed", ["{", "\ta", "}"], 0, { type: "changed" }],
    ["is not found once it is deleted", [""], 0, { type: "changed" }],
    ["is not found once its end is cut off", ["{", "  a"], 0, { type: "changed" }],
    ["is ambiguous when it moved and is there twice", ["x", ...code, ...code], 0, { type: "ambiguous" }],
  ];
  for (const [title, document, tracked, expected] of cases) {
    it(title, () => {
      assert.deepEqual(locate(document, code, { start: tracked, end: tracked + code.length }), expected);
    });
  }

  it("is, if blank, found only where it was tracked to", () => {
    assert.deepEqual(locate(["a", "", "b"], [""], { start: 1, end: 2 }), {
      type: "found",
      lines: { start: 1, end: 2 },
    });
    assert.deepEqual(locate(["a", "b", ""], [""], { start: 1, end: 2 }), { type: "changed" });
  });
});
