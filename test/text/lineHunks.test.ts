import assert from "node:assert/strict";
import fc from "fast-check";
import { lineHunks, withHunks } from "../../src/text/lineHunks.ts";
import { each } from "../support/each.ts";

describe("the hunks of a change", () => {
  each<[string, string], readonly (readonly [number, number, string])[]>([
    ["are none when they are the same", "abc", "abc", []],
    ["are what differs in the middle", "abc", "axyc", [[1, 2, "xy"]]],
    ["are what was added at the end", "a", "ab", [[1, 1, "b"]]],
    ["are what was removed", "abc", "ac", [[1, 2, ""]]],
    ["are all there is where there was nothing", "", "ab", [[0, 0, "ab"]]],
    ["are one line of equal ones", "aa", "aaa", [[2, 2, "a"]]],
    ["take in a brace between large changes", "abcd}efgh", "ABCD}EFGH", [[0, 9, "ABCD}EFGH"]]],
    ["find what repeats as well", "abab", "bab", [[0, 1, ""]]],
  ]).gives((before, after) =>
    lineHunks(Array.from(before), Array.from(after)).map(({ start, end, newStart, newEnd }) => [
      start,
      end,
      after.slice(newStart, newEnd),
    ]),
  );

  it("turn one version into the other, in order, and are never adjacent", () => {
    const line = fc.constantFrom("a", "b", "c", "}", "", "long line one", "long line two");
    const lines = fc.array(line, { maxLength: 40 });
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const hunks = lineHunks(before, after);
        assert.deepEqual(applied(before, after), after);
        for (const [index, { start, end, newStart, newEnd }] of hunks.entries()) {
          assert.ok(end > start || newEnd > newStart);
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
    assert.deepEqual(applied(before, after), after);
  });
});

/** The lines before with all changes made. */
function applied(before: readonly string[], after: readonly string[]): readonly string[] {
  const hunks = lineHunks(before, after);
  const changes = hunks.map((hunk) => ({ ...hunk, lines: after.slice(hunk.newStart, hunk.newEnd) }));
  return withHunks(before, changes);
}
