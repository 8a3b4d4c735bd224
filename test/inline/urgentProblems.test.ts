import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { linesAround, mostUrgent } from "../../src/inline/urgentProblems.ts";

describe("the problems of a file that are asked about", () => {
  it("are errors before warnings, and then the nearest first", () => {
    const problems = [at(1, 1), at(90, 0), at(10, 0), at(4, 1), at(2, 0, 6)];
    assert.deepEqual(starts(mostUrgent(problems, 5)), [2, 10, 90, 4, 1]);
  });

  it("are at most 20", () => {
    const problems = Array.from({ length: 100 }, (_, line) => at(line, line < 90 ? 1 : 0));
    assert.deepEqual(
      starts(mostUrgent(problems, 50)).toSorted((one, other) => one - other),
      [
        ...Array.from({ length: 10 }, (_, index) => index + 45),
        ...Array.from({ length: 10 }, (_, index) => index + 90),
      ],
    );
  });

  it("span the lines from the first to the end of the last", () => {
    assert.deepEqual(linesAround([at(7, 0), at(3, 0, 9), at(5, 1)]), { start: 3, end: 10 });
  });
});

interface Reported {
  readonly severity: number;
  readonly range: {
    readonly start: { readonly line: number; readonly character: number };
    readonly end: { readonly line: number; readonly character: number };
  };
}

function at(line: number, severity: number, last = line): Reported {
  return { severity, range: { start: { line, character: 0 }, end: { line: last, character: 1 } } };
}

function starts(problems: readonly Reported[]): readonly number[] {
  return problems.map(({ range }) => range.start.line);
}
