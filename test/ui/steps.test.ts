import assert from "node:assert/strict";
import { runSteps, type Step, type StepResult } from "../../src/ui/steps.ts";

/** A step that adds its letter and goes where it is told, time after time. */
function step(letter: string, ...ways: readonly StepResult<string>["goesTo"][]): Step<string> {
  const left = [...ways];
  return (draft) => Promise.resolve({ draft: draft + letter, goesTo: left.shift() ?? "next" });
}

describe("steps", () => {
  it("hand the draft from one to the next", async () => {
    assert.equal(await runSteps("", [step("a"), step("b"), step("c")]), "abc");
  });

  it("go back with what was entered, or ask the same again", async () => {
    assert.equal(await runSteps("", [step("a"), step("b", "previous", "same")]), "ababb");
  });

  it("know their place", async () => {
    const places: unknown[] = [];
    const look: Step<string> = (draft, place) => {
      places.push(place);
      return Promise.resolve({ draft, goesTo: "next" });
    };
    await runSteps("", [look, look]);
    assert.deepEqual(places, [
      { number: 1, count: 2 },
      { number: 2, count: 2 },
    ]);
  });

  it("leave nothing when the user gives up", async () => {
    assert.equal(await runSteps("", [step("a"), () => Promise.resolve(undefined), step("c")]), undefined);
  });
});
