import assert from "node:assert/strict";
import fc from "fast-check";
import type { LineEdit } from "../../../src/edits/types.ts";
import { lineHunks } from "../../../src/inline/answer/lineHunks.ts";

describe("the hunks between two versions of lines", () => {
  const cases: readonly (readonly [string, string, string, readonly (readonly [number, number, string])[]])[] = [
    ["are none when they are the same", "abc", "abc", []],
    ["are what differs in the middle", "abc", "axyc", [[1, 2, "xy"]]],
    ["are what was added at the end", "a", "ab", [[1, 1, "b"]]],
    ["are what was added at the start", "a", "ba", [[0, 0, "b"]]],
    ["are what was removed", "abc", "ac", [[1, 2, ""]]],
    ["are everything where nothing is the same", "ab", "xyz", [[0, 2, "xyz"]]],
    ["are all there is where there was nothing", "", "ab", [[0, 0, "ab"]]],
    ["are one line of equal ones", "aa", "aaa", [[2, 2, "a"]]],
    [
      "are each place by itself",
      "abcdefg",
      "aXcdeg",
      [
        [1, 2, "X"],
        [5, 6, ""],
      ],
    ],
    [
      "keep a line that says something between two small changes",
      "a}b",
      "A}B",
      [
        [0, 1, "A"],
        [2, 3, "B"],
      ],
    ],
    ["take in a brace between large changes", "abcd}efgh", "ABCD}EFGH", [[0, 9, "ABCD}EFGH"]]],
    ["find what repeats as well", "abab", "bab", [[0, 1, ""]]],
  ];
  for (const [title, before, after, expected] of cases) {
    it(title, () => {
      const hunks = lineHunks(Array.from(before), Array.from(after));
      assert.deepEqual(
        hunks.map(({ start, end, lines }) => [start, end, lines.join("")]),
        expected,
      );
    });
  }

  it("turn one version into the other, in order, and never touch", () => {
    const lines = fc.array(fc.constantFrom("a", "b", "c", "}", "", "long line one", "long line two"), {
      maxLength: 40,
    });
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const hunks = lineHunks(before, after);
        assert.deepEqual(withHunks(before, hunks), after);
        for (const [index, { start, end, lines }] of hunks.entries()) {
          assert.ok(end > start || lines.length > 0);
          assert.ok(start > (hunks[index - 1]?.end ?? -1));
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it("keep most lines of a long text with many changes", () => {
    const before = Array.from({ length: 20_000 }, (_, index) => (index % 3 === 0 ? "}" : `line ${index}`));
    const after = before.map((line, index) => (index % 100 === 50 ? `${line} changed` : line));
    const hunks = lineHunks(before, after);
    assert.equal(hunks.length, 200);
    assert.deepEqual(withHunks(before, hunks), after);
  });

  it("take linear time where every line repeats and nothing fits", () => {
    const before = Array.from({ length: 20_000 }, (_, index) => (index % 2 === 0 ? "a" : "b"));
    const after = Array.from({ length: 20_000 }, (_, index) => (index % 3 === 0 ? "b" : "c"));
    const start = performance.now();
    assert.deepEqual(withHunks(before, lineHunks(before, after)), after);
    assert.ok(performance.now() - start < 2_000);
  });
});

function withHunks(before: readonly string[], hunks: readonly LineEdit[]): readonly string[] {
  const result = [...before];
  for (const { start, end, lines } of hunks.toReversed()) result.splice(start, end - start, ...lines);
  return result;
}
