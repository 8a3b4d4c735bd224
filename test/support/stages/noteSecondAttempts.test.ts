import assert from "node:assert/strict";
import Mocha from "mocha";
import { asCounts, describeCounts, sum } from "./counts.ts";
import { noteSecondAttempts } from "./noteSecondAttempts.ts";

/** Runs a test that fails this often before it passes. */
async function run(
  failures: number,
  retries: number,
): Promise<Record<"passed" | "failed" | "told" | "titles", unknown>> {
  let left = failures;
  const mocha = new Mocha({ reporter: Mocha.reporters.Base, retries });
  const test = new Mocha.Test("opens", () => {
    left -= 1;
    if (left >= 0) throw new Error("The menu is empty.");
  });
  Mocha.Suite.create(mocha.suite, "a menu").addTest(test);
  const told: string[] = [];
  let titles: readonly string[] = [];
  const { stats } = await new Promise<Mocha.Runner>((resolve) => {
    const runner = mocha.run(() => {
      resolve(runner);
    });
    titles = noteSecondAttempts(runner, (text) => told.push(text));
  });
  return { passed: stats?.passes, failed: stats?.failures, told: told.join("\n"), titles };
}

describe("second attempts", () => {
  it("are named, and the failure of the first is told", async () => {
    const { passed, failed, told, titles } = await run(1, 1);
    assert.deepEqual({ passed, failed, titles }, { passed: 1, failed: 0, titles: ["a menu opens"] });
    assert.match(String(told), /failed at the first attempt: a menu opens\n.*The menu is empty\./);
  });

  it("that fail as well fail the run", async () => {
    const { passed, failed, titles } = await run(2, 1);
    assert.deepEqual({ passed, failed, titles }, { passed: 0, failed: 1, titles: [] });
  });

  it("are not named where none was needed", async () => {
    const { passed, failed, told, titles } = await run(0, 1);
    assert.deepEqual({ passed, failed, told, titles }, { passed: 1, failed: 0, told: "", titles: [] });
  });

  it("stand above the counts of all stages", () => {
    const unit = asCounts({ passed: 2, failed: 0, skipped: 1 });
    const e2e = asCounts({ passed: 1, failed: 0, skipped: 0, secondAttempts: ["a menu opens"] });
    assert.ok(unit && e2e);
    assert.equal(
      describeCounts(sum([unit, e2e])),
      "passed at the second attempt: a menu opens\n3 passed, 0 failed, 1 skipped",
    );
    assert.equal(describeCounts(unit), "2 passed, 0 failed, 1 skipped");
  });
});
