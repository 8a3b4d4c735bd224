import fc from "fast-check";
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
    ["deletes everything", "a\nb", 0, 2, [], ""],
    ["fills an empty document", "", 0, 1, ["x", "y"], "x\ny"],
  ]).gives(applied);

  it("is exactly undone by the reverse replacement, whatever the lines", () => {
    const line = fc.stringMatching(/^[ab\t ]{0,4}$/);
    const lines = fc.array(line, { minLength: 1, maxLength: 6 });
    const added = fc.array(line, { maxLength: 4 });
    const bounds = fc.tuple(fc.nat(), fc.nat());
    fc.assert(
      fc.property(lines, added, bounds, fc.constantFrom("\n", "\r\n"), (all, next, given, eol) => {
        const [start = 0, end = 0] = given.map((bound) => bound % (all.length + 1)).toSorted((one, two) => one - two);
        fc.pre(all.length + next.length > end - start);
        const before = all.join(eol);
        const after = applied(before, start, end, next, eol);
        assert.equal(after, all.toSpliced(start, end - start, ...next).join(eol));
        assert.equal(applied(after, start, start + next.length, all.slice(start, end), eol), before);
      }),
    );
  });
});

/** The text after whole lines of it were replaced, as an editor does it. */
function applied(text: string, start: number, end: number, lines: readonly string[], eol = "\n"): string {
  const all = splitLines(text);
  const document = { lineCount: all.length, lineAt: (line: number) => ({ text: all[line] ?? "" }) };
  const replacement = replaceLines(document, { start, end }, lines, eol);
  const offset = ({ line, character }: { readonly line: number; readonly character: number }): number =>
    all.slice(0, line).reduce((sum, { length }) => sum + length + eol.length, 0) + character;
  return text.slice(0, offset(replacement.range.start)) + replacement.text + text.slice(offset(replacement.range.end));
}
