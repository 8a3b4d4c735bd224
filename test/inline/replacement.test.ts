import assert from "node:assert/strict";
import fc from "fast-check";
import { type LineSource, replaceLines } from "../../src/inline/replacement.ts";
import { splitLines } from "../../src/text/lines.ts";

describe("replacing whole lines", () => {
  const cases: readonly (readonly [string, string, readonly [number, number], readonly string[], string])[] = [
    ["keeps the final newline", "a\nb\nc\n", [1, 2], ["B", "2"], "a\nB\n2\nc\n"],
    ["keeps the missing final newline", "a\nb", [1, 2], ["B"], "a\nB"],
    ["keeps CRLF", "a\r\nb\r\nc\r\n", [0, 2], ["A", "B"], "A\r\nB\r\nc\r\n"],
    ["deletes lines with their line breaks", "a\nb\nc\n", [1, 2], [], "a\nc\n"],
    ["deletes the last lines", "a\nb\nc", [1, 3], [], "a"],
    ["deletes everything", "a\nb", [0, 2], [], ""],
    ["inserts before a line", "a\nb\n", [1, 1], ["x"], "a\nx\nb\n"],
    ["inserts after the last line", "a\r\nb", [2, 2], ["x"], "a\r\nb\r\nx"],
    ["fills an empty document", "", [0, 1], ["x", "y"], "x\ny"],
  ];
  for (const [title, text, [start, end], lines, expected] of cases) {
    it(title, () => {
      assert.equal(applied(text, start, end, lines), expected);
    });
  }

  it("is exactly undone by the reverse replacement, whatever the lines", () => {
    const line = fc.stringMatching(/^[ab\t ]{0,4}$/);
    const lines = fc.array(line, { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(
        lines,
        fc.array(line, { maxLength: 4 }),
        fc.nat(),
        fc.nat(),
        fc.constantFrom("\n", "\r\n"),
        (all, next, a, b, eol) => {
          const [start = 0, end = 0] = [a % (all.length + 1), b % (all.length + 1)].toSorted(
            (one, other) => one - other,
          );
          fc.pre(all.length + next.length > end - start);
          const before = all.join(eol);
          const after = applied(before, start, end, next, eol);
          assert.equal(after, all.toSpliced(start, end - start, ...next).join(eol));
          assert.equal(applied(after, start, start + next.length, all.slice(start, end), eol), before);
        },
      ),
    );
  });
});

/** The text after whole lines of it were replaced, as an editor does it. */
function applied(
  text: string,
  start: number,
  end: number,
  lines: readonly string[],
  eol = text.includes("\r\n") ? "\r\n" : "\n",
): string {
  const all = splitLines(text);
  const source: LineSource = { lineCount: all.length, eol, lineLength: (line) => all[line]?.length ?? 0 };
  const replacement = replaceLines(source, { start, end }, lines);
  const offset = ({ line, character }: { readonly line: number; readonly character: number }): number =>
    all.slice(0, line).reduce((sum, { length }) => sum + length + eol.length, 0) + character;
  return text.slice(0, offset(replacement.start)) + replacement.text + text.slice(offset(replacement.end));
}
