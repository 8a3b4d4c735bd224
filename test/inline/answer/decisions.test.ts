import assert from "node:assert/strict";
import { hunksLeft, outcomeOf } from "../../../src/inline/answer/decisions.ts";

const hunks = [
  { start: 0, end: 1, before: ["let a;"], lines: ["", "  const a = 1;"] },
  { start: 4, end: 5, before: ["let b;"], lines: [] },
];

const same = (line: string): string => line;

describe("what the model is told about its last change", () => {
  it("is nothing when it was not applied", () => {
    assert.equal(outcomeOf(hunks, [], same), "");
  });

  it("is what was kept and what undone", () => {
    assert.equal(
      outcomeOf(hunks, ["accepted", "undone"], same),
      "I kept only parts of the change of your last answer:\n- kept: the lines from `const a = 1;`\n- undone: the removal of the lines from `let b;`",
    );
    assert.match(outcomeOf(hunks, ["undone", "undone"], same), /^I undid/);
    assert.match(outcomeOf(hunks, ["open", "open"], same), /^I applied/);
  });

  it("has no secrets, not even where a line is cut", () => {
    const secret = "x".repeat(150);
    const [hunk] = [{ start: 0, end: 1, before: [`${"a".repeat(100)}${secret}`], lines: [] }];
    const text = outcomeOf([hunk, hunk], ["accepted", "undone"], (line) => line.replace(secret, "…"));
    assert.ok(!text.includes("x"));
  });

  it("names no lines where hunks cannot be told apart", () => {
    assert.match(outcomeOf(hunks, ["accepted", "undone", "accepted"], same), /parts[^-]*as it is now\.$/);
  });
});

describe("the hunks left of a change", () => {
  it("are those that were not undone", () => {
    assert.deepEqual(hunksLeft(hunks, ["undone", "open"]), hunks.slice(1));
    assert.deepEqual(hunksLeft(hunks, ["accepted", "open"]), hunks);
    assert.deepEqual(hunksLeft(hunks, []), hunks);
  });

  it("are unknown where hunks cannot be told apart", () => {
    assert.deepEqual(hunksLeft(hunks, ["accepted", "undone", "accepted"]), []);
  });
});
