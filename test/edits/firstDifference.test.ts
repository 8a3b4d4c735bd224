import assert from "node:assert/strict";
import { firstDifference } from "../../src/edits/firstDifference.ts";
import { readOperations } from "../../src/edits/readOperations.ts";
import { type EditProblem, resolveEdits } from "../../src/edits/resolveEdits.ts";

describe("the first difference of an edit without a place", () => {
  const text = "function one() {\n  const a = 1;\n  return a;\n}\n\nfunction two() {\n  const b = 2;\n  return b;\n}\n";
  const files = new Map([["src/a.ts", text]]);
  const answer = (old: string): string => `src/a.ts\n<<<<<<< SEARCH\n${old}\n=======\nx\n>>>>>>> REPLACE`;
  const differenceOf = (old: string, other?: EditProblem): object | undefined => {
    const problem = other ?? resolveEdits(answer(old), files).problems[0];
    assert.ok(problem);
    return firstDifference(readOperations(answer(old), files).operations, files, problem);
  };

  it("is the line of the file that the answer has otherwise", () => {
    assert.deepEqual(differenceOf("function two() {\n  const b = 3;\n  return b;\n}"), {
      path: "src/a.ts",
      start: 5,
      end: 9,
      line: 6,
      expected: "  const b = 3;",
      actual: "  const b = 2;",
    });
  });

  it("may be behind the end of the file", () => {
    assert.deepEqual(differenceOf("  return b;\n}\nfunction three() {"), {
      path: "src/a.ts",
      start: 7,
      end: 9,
      line: 9,
      expected: "function three() {",
      actual: undefined,
    });
  });

  it("is unknown where no line of the answer is in the file", () => {
    assert.equal(differenceOf("const c = 1;"), undefined);
  });

  it("is unknown for a problem of another edit", () => {
    assert.equal(differenceOf("a", { kind: "notFound", line: 40 }), undefined);
  });
});
