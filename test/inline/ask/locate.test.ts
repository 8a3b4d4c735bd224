import assert from "node:assert/strict";
import fc from "fast-check";
import { locate, onlyStart } from "../../../src/inline/ask/locate.ts";
import type { LineRange } from "../../../src/text/lineRange.ts";
import { assertLinear } from "../../support/assertLinear.ts";
import { each } from "../../support/each.ts";

describe("code that was read earlier", () => {
  const code = ["{", "  a", "}"];
  const found = (start: number): LineRange => ({ start, end: start + code.length });
  each<[readonly string[], number], LineRange | undefined>([
    ["is found where it was", ["x", ...code], 1, found(1)],
    ["is found where it was tracked to, even if it is there twice", [...code, "x", ...code], 4, found(4)],
    ["is found where it moved to", ["x", "y", "z", ...code], 0, found(3)],
    ["is not found once a line of it has changed", ["{", "  b", "}"], 0, undefined],
    ["is not found once its end is cut off", ["{", "  a"], 0, undefined],
    ["is not found when it moved and is there twice", ["x", ...code, ...code], 0, undefined],
  ]).gives((document, tracked) => locate(document, code, found(tracked), true));

  it("is, if blank, found only where it was tracked to", () => {
    assert.deepEqual(locate(["a", "", "b"], [""], { start: 1, end: 2 }, true), { start: 1, end: 2 });
    assert.deepEqual(locate(["a", "b", ""], [""], { start: 1, end: 2 }, true), undefined);
  });

  it("is not mistaken for the same text elsewhere, which was there all along", () => {
    const tracked = { start: 1, end: 2 };
    for (const line of ["foo();", "}"]) {
      const before = ["a", line, "b", line];
      const wasUnique = onlyStart(before, [line]) !== undefined;
      assert.deepEqual(locate(before, [line], tracked, wasUnique), tracked);
      assert.deepEqual(locate(["a", "x", "b", line], [line], tracked, wasUnique), undefined);
    }
  });

  it("is found among lines that are all alike without a long search", () => {
    const search = (count: number): void => {
      const document = Array.from({ length: 2 * count }, () => "}");
      const code = [...document.slice(0, count), "x"];
      assert.equal(locate(document, code, { start: 0, end: code.length }, true), undefined);
      assert.equal(onlyStart([...document, "x"], code), count);
    };
    assertLinear(search, 20_000);
  });

  it("is found wherever a slow search finds it", () => {
    const line = fc.constantFrom("a", "b");
    const [lines, some] = [fc.array(line, { maxLength: 12 }), fc.array(line, { minLength: 1, maxLength: 4 })];
    fc.assert(
      fc.property(lines, some, (document, code) => {
        const starts = document.flatMap((_, start) =>
          code.every((line, index) => document[start + index] === line) ? [start] : [],
        );
        const only = starts.length === 1 ? starts[0] : undefined;
        assert.equal(onlyStart(document, code), only);
        const tracked = { start: document.length, end: document.length + code.length };
        assert.equal(locate(document, code, tracked, true)?.start, only);
      }),
      { seed: 11 },
    );
  });
});
