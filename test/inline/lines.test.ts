import assert from "node:assert/strict";
import { shiftLines } from "../../src/inline/lines.ts";

describe("lines that are followed through edits", () => {
  const lines = { start: 5, end: 8 };
  const cases: readonly (readonly [
    string,
    readonly [number, number, number, number],
    string,
    readonly [number, number],
  ])[] = [
    ["move down when lines are inserted above", [2, 0, 2, 0], "a\nb\n", [7, 10]],
    ["move down when lines are inserted right above", [5, 0, 5, 0], "a\n", [6, 9]],
    ["move up when lines above are deleted", [3, 0, 5, 0], "", [3, 6]],
    ["stay when lines below change", [8, 0, 9, 4], "a\nb\nc", [5, 8]],
    ["stay when a word inside changes", [6, 2, 6, 4], "word", [5, 8]],
    ["stretch when lines are added inside", [6, 2, 6, 2], "a\r\nb\r\n", [5, 10]],
    ["shrink when lines inside are deleted", [5, 3, 7, 0], "", [5, 6]],
    ["take in what is typed before the first word", [5, 0, 5, 0], "a\nb", [5, 9]],
    ["begin earlier when the line before is joined to them", [4, 3, 5, 0], "", [4, 7]],
    ["collapse to what replaced them and more", [0, 0, 20, 0], "x", [0, 1]],
  ];
  for (const [title, [startLine, startCharacter, endLine, endCharacter], text, [start, end]] of cases) {
    it(title, () => {
      const range = {
        start: { line: startLine, character: startCharacter },
        end: { line: endLine, character: endCharacter },
      };
      assert.deepEqual(shiftLines(lines, { range, text }), { start, end });
    });
  }
});
