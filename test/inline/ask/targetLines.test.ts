import assert from "node:assert/strict";
import { type NamedRange, targetLines } from "../../../src/inline/ask/targetLines.ts";
import type { LineRange } from "../../../src/text/lineRange.ts";
import { each } from "../../support/each.ts";

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
  each<[Span], LineRange>([
    ["are those of the selection", span(3, 0, 5, 8), { start: 3, end: 6 }],
    ["leave out a line whose first character is not selected", span(3, 0, 5, 0), { start: 3, end: 5 }],
    ["are those of the innermost symbol of several lines", span(5, 7, 5, 7), { start: 4, end: 9 }],
    ["are those of the outer symbol beside the inner one", span(10, 0, 10, 0), { start: 2, end: 21 }],
    ["are the line alone outside of all symbols", span(25, 0, 25, 0), { start: 25, end: 26 }],
    ["are the line alone in a symbol too long to rewrite", span(40, 0, 40, 0), { start: 40, end: 41 }],
  ]).gives((selection) => targetLines(selection, symbols));

  it("are found in symbols however deep they are", () => {
    let symbol: NamedRange = { range: span(4, 0, 8, 1), children: [] };
    for (let depth = 0; depth < 100_000; depth += 1) symbol = { range: span(0, 0, 900, 1), children: [symbol] };
    assert.deepEqual(targetLines(span(5, 0, 5, 0), [symbol]), { start: 4, end: 9 });
  });
});

type Span = Parameters<typeof targetLines>[0];
