import assert from "node:assert/strict";
import { type LineRange, replaceLines, shiftLines } from "../../src/text/lineRange.ts";
import { splitLines } from "../../src/text/lines.ts";
import { each } from "../support/each.ts";

type Place = readonly [startLine: number, startCharacter: number, endLine: number, endCharacter: number];

function shifted(lines: LineRange, [startLine, startCharacter, endLine, endCharacter]: Place, text: string): number[] {
  const range = {
    start: { line: startLine, character: startCharacter },
    end: { line: endLine, character: endCharacter },
  };
  const { start, end } = shiftLines(lines, { range, text });
  return [start, end];
}

describe("a range of lines that is updated after edits", () => {
  each<[Place, string], readonly number[]>([
    ["move down when lines are inserted right above", [5, 0, 5, 0], "a\n", [6, 9]],
    ["move up when lines above are deleted", [3, 0, 5, 0], "", [3, 6]],
    ["stay when lines below change", [8, 0, 9, 4], "a\nb\nc", [5, 8]],
    ["stretch when lines are added inside", [6, 2, 6, 2], "a\r\nb\r\n", [5, 10]],
    ["shrink when lines inside are deleted", [5, 3, 7, 0], "", [5, 6]],
    ["take in what is typed before the first word", [5, 0, 5, 0], "a\nb", [5, 9]],
    ["begin earlier when the line before is joined to them", [4, 3, 5, 0], "", [4, 7]],
    ["end where they did when the lines up to the next one are deleted", [6, 0, 8, 0], "", [5, 6]],
    ["end where they did when the end of the last one changes with its line break", [7, 3, 8, 0], "a\r\n", [5, 8]],
    ["vanish with all their lines", [5, 0, 8, 0], "", [5, 5]],
    ["keep what is left when lines across their start are deleted", [3, 0, 6, 0], "", [3, 5]],
    ["keep what is left when lines across their end are deleted", [7, 0, 9, 0], "", [5, 7]],
    ["collapse to what replaced them and more", [0, 0, 20, 0], "x", [0, 1]],
  ]).gives((at, text) => shifted({ start: 5, end: 8 }, at, text));

  each<[Place, string], number>([
    ["moves down as a place between lines when lines are inserted above", [4, 0, 4, 0], "a\n", 6],
    ["stays as a place between lines when the line below is typed in", [5, 0, 5, 0], "a", 5],
    ["stays as a place between lines when the line above is typed in", [4, 3, 4, 3], "a", 5],
    ["stays as a place between lines when the line below is deleted", [5, 0, 6, 0], "", 5],
    ["stays as a place between what is left around it", [3, 0, 7, 0], "", 3],
    ["comes as a place after the line that its neighbors are joined to", [4, 3, 5, 0], "", 5],
  ]).hold((at, text, place) => {
    assert.deepEqual(shifted({ start: 5, end: 5 }, at, text), [place, place]);
  });
});

describe("replacing whole lines", () => {
  each<[string, number, number, readonly string[]], string>([
    ["keeps the missing final newline", "a\r\nb", 1, 2, ["B"], "a\r\nB"],
    ["deletes lines with their line breaks", "a\nb\nc\n", 1, 2, [], "a\nc\n"],
    ["deletes the last lines", "a\nb\nc", 1, 3, [], "a"],
    ["deletes everything", "a\nb", 0, 2, [], ""],
    ["inserts before a line", "a\nb", 1, 1, ["x", "y"], "a\nx\ny\nb"],
    ["inserts after the last line", "a\r\nb", 2, 2, ["x"], "a\r\nb\r\nx"],
    ["fills an empty document", "", 0, 1, ["x", "y"], "x\ny"],
  ]).gives((text, start, end, lines) => {
    const eol = text.includes("\r\n") ? "\r\n" : "\n";
    const all = splitLines(text);
    const document = { lineCount: all.length, lineAt: (line: number) => ({ text: all[line] ?? "" }) };
    const { range, text: replacement } = replaceLines(document, { start, end }, lines, eol);
    const [from, to] = [range.start, range.end].map(
      ({ line, character }) => all.slice(0, line).join(eol).length + (line > 0 ? eol.length : 0) + character,
    );
    return text.slice(0, from) + replacement + text.slice(to);
  });
});
