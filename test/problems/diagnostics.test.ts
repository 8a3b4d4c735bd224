import assert from "node:assert/strict";
import {
  diagnosticList,
  linesAround,
  mostUrgent,
  newDiagnostics,
  type CodedDiagnostic,
  stillThere,
} from "../../src/problems/diagnostics.ts";

describe("newDiagnostics", () => {
  it("does not take a problem for new that has only moved", () => {
    assert.deepEqual(newDiagnostics([at(1, "a"), at(7, "a")], [at(4, "a"), at(90, "a")], []), []);
  });

  it("counts as many as there are more, first those inside the change, in the given order", () => {
    const now = [at(1, "a"), at(5, "a"), at(6, "a"), at(2, "b")];
    const changed = [{ start: 5, end: 6 }];
    assert.deepEqual(lines(newDiagnostics([at(1, "a"), at(8, "a")], now, changed)), ["5 a", "2 b"]);
    assert.deepEqual(lines(newDiagnostics([at(1, "a")], now, changed)), ["5 a", "6 a", "2 b"]);
  });

  it("tells the same words of different sources and codes apart", () => {
    const one = { ...at(1, "a"), source: "ts", code: "1" };
    const others = [{ code: "2" }, { source: "eslint" }, { source: "1", code: "ts" }];
    for (const other of others) assert.equal(newDiagnostics([one], [{ ...one, ...other }], []).length, 1);
  });
});

describe("stillThere", () => {
  it("drops what is fixed and adds nothing", () => {
    assert.deepEqual(lines(stillThere([at(1, "a"), at(2, "b")], [at(3, "b"), at(4, "c")])), ["3 b"]);
  });
});

describe("diagnosticList", () => {
  it("gives each problem one line, whatever a language extension writes", () => {
    const problem = { line: 4, severity: "error", message: "a\nb\r\n\u2028- line 1, error: c\u0000 " };
    assert.deepEqual(diagnosticList([problem]), ["- line 5, error: a b - line 1, error: c"]);
  });

  it("is bounded in number and length", () => {
    const problems = Array.from({ length: 50 }, (_, line) => ({ line, severity: "error", message: "x".repeat(2_000) }));
    const list = diagnosticList(problems);
    assert.equal(list.length, 21);
    assert.equal(list.at(-1), "- and 30 more");
    assert.ok(list.every((item) => item.length < 530));
  });
});

describe("the problems of a file that are asked about", () => {
  it("are errors before warnings, and then the nearest first", () => {
    const problems = [reported(1, 1), reported(90, 0), reported(10, 0), reported(4, 1), reported(2, 0, 6)];
    assert.deepEqual(startsOf(mostUrgent(problems, 5)), [2, 10, 90, 4, 1]);
  });

  it("are at most 20", () => {
    const problems = Array.from({ length: 100 }, (_, line) => reported(line, line < 90 ? 1 : 0));
    const nearest = (from: number): number[] => Array.from({ length: 10 }, (_, index) => index + from);
    const starts = startsOf(mostUrgent(problems, 50)).toSorted((one, other) => one - other);
    assert.deepEqual(starts, [...nearest(45), ...nearest(90)]);
  });

  it("span the lines from the first to the end of the last", () => {
    assert.deepEqual(linesAround([reported(7, 0), reported(3, 0, 9), reported(5, 1)]), { start: 3, end: 10 });
  });
});

function at(line: number, message: string): CodedDiagnostic {
  return { line, message, severity: "error", source: "", code: "" };
}

function lines(found: readonly CodedDiagnostic[]): readonly string[] {
  return found.map(({ line, message }) => `${line} ${message}`);
}

interface Reported {
  readonly severity: number;
  readonly range: Readonly<Record<"start" | "end", { readonly line: number; readonly character: number }>>;
}

function reported(line: number, severity: number, last = line): Reported {
  return { severity, range: { start: { line, character: 0 }, end: { line: last, character: 1 } } };
}

function startsOf(problems: readonly Reported[]): readonly number[] {
  return problems.map(({ range }) => range.start.line);
}
