import assert from "node:assert/strict";
import { firstDifference } from "../../src/edits/place/nearest.ts";

describe("the first difference of an edit without a place", () => {
  const text = "function one() {\n  const a = 1;\n  return a;\n}\n\nfunction two() {\n  const b = 2;\n  return b;\n}\n";

  it("is the line of the file that the answer has otherwise", () => {
    assert.deepEqual(firstDifference(text, ["function two() {", "  const b = 3;", "  return b;", "}"]), {
      start: 5,
      end: 9,
      line: 6,
      expected: "  const b = 3;",
      actual: "  const b = 2;",
    });
  });

  it("may be behind the end of the file", () => {
    assert.deepEqual(firstDifference(text, ["  return b;", "}", "function three() {"]), {
      start: 7,
      end: 9,
      line: 9,
      expected: "function three() {",
      actual: undefined,
    });
  });

  it("is unknown where no line of the answer is in the file", () => {
    assert.equal(firstDifference(text, ["const c = 1;"]), undefined);
  });
});
