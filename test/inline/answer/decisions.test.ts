import assert from "node:assert/strict";
import { outcomeOf } from "../../../src/inline/answer/decisions.ts";
import type { Decision } from "../../../src/inline/hunks/hunkTracker.ts";
import { each } from "../../support/each.ts";

describe("what the model is told about its last change", () => {
  const told = (...decisions: readonly Decision[]): string =>
    outcomeOf(
      decisions.map((decision, index) =>
        index === 0
          ? { decision, before: ["let a;"], after: ["", "  const a = 1;"] }
          : { decision, before: ["let b;"], after: [] },
      ),
      (line) => line,
    );

  each<[readonly Decision[]], RegExp>([
    ["is nothing when it was not applied", [], /^$/],
    [
      "is what was kept and what undone",
      ["accepted", "undone"],
      /^I kept only parts of the change of your last answer:\n- kept: the lines from `const a = 1;`\n- undone: the removal of the lines from `let b;`$/,
    ],
    ["is that all was undone", ["undone", "undone"], /^I undid/],
    ["is that nothing is decided", ["open", "open"], /^I applied/],
  ]).hold((decisions, expected) => {
    assert.match(told(...decisions), expected);
  });

  it("has no secrets, not even where a line is cut", () => {
    const secret = "x".repeat(150);
    const hunk = { before: [`${"a".repeat(100)}${secret}`], after: [] };
    const decided = [{ ...hunk, decision: "accepted" } as const, { ...hunk, decision: "undone" } as const];
    assert.ok(!outcomeOf(decided, (line) => line.replace(secret, "…")).includes("x"));
  });
});
