import assert from "node:assert/strict";
import { type NamedRange, targetLines } from "../../../src/inline/ask/targetLines.ts";

describe("the lines a question is about", () => {
  const span = (startLine: number, startCharacter: number, endLine: number, endCharacter: number): Span => ({
    start: { line: startLine, character: startCharacter },
    end: { line: endLine, character: endCharacter },
  });
  const method = { range: span(4, 2, 8, 3), children: [{ range: span(5, 4, 5, 20), children: [] }] };
  const symbols = [
    { range: span(0, 0, 0, 30), children: [] },
    { range: span(2, 0, 20, 1), children: [method] },
    { range: span(30, 0, 900, 1), children: [] },
  ];
  const cases: readonly (readonly [string, Span, readonly [number, number]])[] = [
    ["are those of the selection", span(3, 0, 5, 8), [3, 6]],
    ["are whole lines when the selection is in mid-line", span(3, 4, 3, 9), [3, 4]],
    ["leave out a line whose first character is not selected", span(3, 0, 5, 0), [3, 5]],
    ["are those of the innermost symbol of several lines when nothing is selected", span(5, 7, 5, 7), [4, 9]],
    ["are those of the outer symbol beside the inner one", span(10, 0, 10, 0), [2, 21]],
    ["are the line alone outside of all symbols", span(25, 0, 25, 0), [25, 26]],
    ["are the line alone in a symbol too long to rewrite", span(40, 0, 40, 0), [40, 41]],
  ];
  for (const [title, selection, [start, end]] of cases) {
    it(title, () => {
      assert.deepEqual(targetLines(selection, symbols), { start, end });
    });
  }

  it("are found in symbols however deep they are", () => {
    let symbol: NamedRange = { range: span(4, 0, 8, 1), children: [] };
    for (let depth = 0; depth < 100_000; depth += 1) symbol = { range: span(0, 0, 900, 1), children: [symbol] };
    assert.deepEqual(targetLines(span(5, 0, 5, 0), [symbol]), { start: 4, end: 9 });
  });
});

type Span = Parameters<typeof targetLines>[0];
