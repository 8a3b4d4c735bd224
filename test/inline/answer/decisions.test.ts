import assert from "node:assert/strict";
import { outcomeOf } from "../../../src/inline/answer/decisions.ts";
import type { Decision } from "../../../src/inline/hunks/hunkTracker.ts";

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

  it("is what was kept and what undone, and nothing when it was not applied", () => {
    assert.equal(told(), "");
    assert.equal(
      told("accepted", "undone"),
      "I kept only parts of the change of your last answer:\n- kept: the lines from `const a = 1;`\n- undone: the removal of the lines from `let b;`",
    );
    assert.match(told("undone", "undone"), /^I undid/);
    assert.match(told("open", "open"), /^I applied/);
  });

  it("has no secrets, not even where a line is cut", () => {
    const secret = "x".repeat(150);
    const hunk = { before: [`${"a".repeat(100)}${secret}`], after: [] };
    const decided = [{ ...hunk, decision: "accepted" } as const, { ...hunk, decision: "undone" } as const];
    assert.ok(!outcomeOf(decided, (line) => line.replace(secret, "…")).includes("x"));
  });
});
