import assert from "node:assert/strict";
import { shiftLines } from "../../src/text/lineRange.ts";

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
    ["end where they did when the lines up to the next one are deleted", [6, 0, 8, 0], "", [5, 6]],
    ["vanish with all their lines", [5, 0, 8, 0], "", [5, 5]],
    ["keep what is left when lines across their start are deleted", [3, 0, 6, 0], "", [3, 5]],
    ["keep what is left when lines across their end are deleted", [7, 0, 9, 0], "", [5, 7]],
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

  const nowhere = { start: 5, end: 5 };
  const around: readonly (readonly [string, readonly [number, number, number, number], string, number])[] = [
    ["moves down when lines are inserted above", [4, 0, 4, 0], "a\n", 6],
    ["stays when the line below is typed in", [5, 0, 5, 0], "a", 5],
    ["stays when the line above is typed in", [4, 3, 4, 3], "a", 5],
    ["stays when the line below is deleted", [5, 0, 6, 0], "", 5],
    ["stays between what is left around it", [3, 0, 7, 0], "", 3],
    ["comes after the line that its neighbors are joined to", [4, 3, 5, 0], "", 5],
  ];
  for (const [title, [startLine, startCharacter, endLine, endCharacter], text, place] of around) {
    it(`a place between lines ${title}`, () => {
      const range = {
        start: { line: startLine, character: startCharacter },
        end: { line: endLine, character: endCharacter },
      };
      assert.deepEqual(shiftLines(nowhere, { range, text }), { start: place, end: place });
    });
  }
});
