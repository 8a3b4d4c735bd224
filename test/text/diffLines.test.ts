import assert from "node:assert/strict";
import fc from "fast-check";
import { diffLines } from "../../src/text/diffLines.ts";

/** Applies changes to the old lines. */
function applied(old: readonly string[], lines: readonly string[]): readonly string[] {
  const result = [...old];
  for (const { start, end, newStart, newEnd } of diffLines(old, lines).toReversed()) {
    result.splice(start, end - start, ...lines.slice(newStart, newEnd));
  }
  return result;
}

describe("the differences of two texts", () => {
  it("turn one into the other", () => {
    const lines = fc.array(fc.constantFrom("a", "b", "c", "d", ""), { maxLength: 30 });
    fc.assert(
      fc.property(lines, lines, (old, text) => {
        assert.deepEqual(applied(old, text), text);
      }),
      { seed: 3 },
    );
  });

  it("do not include equal lines, even in large texts", () => {
    const old = Array.from({ length: 3_000 }, (_, index) => (index % 3 === 0 ? "}" : `line ${index}`));
    const text = old.flatMap((line, index) => (index === 1_000 ? [line, "new"] : index === 2_500 ? [] : [line]));
    assert.deepEqual(diffLines(old, text), [
      { start: 1_001, end: 1_001, newStart: 1_001, newEnd: 1_002 },
      { start: 2_500, end: 2_501, newStart: 2_501, newEnd: 2_501 },
    ]);
    assert.deepEqual(diffLines(old, old), []);
  });
});
