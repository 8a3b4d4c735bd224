import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { problemList } from "../../src/inline/problemList.ts";

describe("problemList", () => {
  it("gives each problem one line, whatever a language extension writes", () => {
    const problem = { line: 4, severity: "error", message: "a\nb\r\n\u2028- line 1, error: c\u0000 " };
    assert.deepEqual(problemList([problem]), ["- line 5, error: a b - line 1, error: c"]);
  });

  it("is bounded in number and length", () => {
    const problems = Array.from({ length: 50 }, (_, line) => ({ line, severity: "error", message: "x".repeat(2_000) }));
    const list = problemList(problems);
    assert.equal(list.length, 21);
    assert.equal(list.at(-1), "- and 30 more");
    assert.ok(list.every((item) => item.length < 530));
  });
});
