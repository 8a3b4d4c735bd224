import assert from "node:assert/strict";
import * as fc from "fast-check";
import { describe, it } from "mocha";
import { newProblems, type Problem, stillThere } from "../../src/inline/newProblems.ts";

describe("newProblems", () => {
  it("names what was not there before", () => {
    assert.deepEqual(lines(newProblems([at(1, "a")], [at(1, "a"), at(5, "b")], [])), ["5 b"]);
  });

  it("does not take a problem for new that has only moved", () => {
    assert.deepEqual(newProblems([at(1, "a"), at(7, "a")], [at(4, "a"), at(90, "a")], []), []);
  });

  it("counts one more of the same, the one inside the change", () => {
    const now = [at(1, "a"), at(5, "a"), at(9, "a")];
    assert.deepEqual(lines(newProblems([at(1, "a"), at(8, "a")], now, [{ start: 5, end: 6 }])), ["5 a"]);
  });

  it("counts one more of the same outside the change, too", () => {
    assert.deepEqual(lines(newProblems([at(1, "a")], [at(1, "a"), at(9, "a")], [{ start: 3, end: 4 }])), ["9 a"]);
  });

  it("tells the same words of different sources and codes apart", () => {
    const one = { ...at(1, "a"), source: "ts", code: "1" };
    assert.equal(newProblems([one], [{ ...one, code: "2" }], []).length, 1);
    assert.equal(newProblems([one], [{ ...one, source: "eslint" }], []).length, 1);
    assert.equal(
      newProblems([{ ...one, message: "1", code: "a" }], [{ ...one, message: "a", code: "1" }], []).length,
      1,
    );
  });

  it("finds as many of each message as there are more, wherever they are", () => {
    fc.assert(
      fc.property(problems, problems, fc.nat(20), (before, now, start) => {
        const found = newProblems(before, now, [{ start, end: start + 3 }]);
        for (const message of ["a", "b", "c"]) {
          const more = Math.max(0, count(now, message) - count(before, message));
          assert.equal(count(found, message), more);
        }
        assert.deepEqual(
          found,
          now.filter((problem) => found.includes(problem)),
          "in the given order",
        );
      }),
    );
  });
});

describe("stillThere", () => {
  it("drops what is fixed and adds nothing", () => {
    assert.deepEqual(lines(stillThere([at(1, "a"), at(2, "b")], [at(3, "b"), at(4, "c")])), ["3 b"]);
  });
});

const problems = fc.array(
  fc.tuple(fc.nat(20), fc.constantFrom("a", "b", "c")).map(([line, message]) => at(line, message)),
);

function at(line: number, message: string): Problem {
  return { line, message, severity: "error", source: "", code: "" };
}

function lines(found: readonly Problem[]): readonly string[] {
  return found.map(({ line, message }) => `${line} ${message}`);
}

function count(all: readonly Problem[], message: string): number {
  return all.filter((problem) => problem.message === message).length;
}
