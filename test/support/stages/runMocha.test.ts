import Mocha from "mocha";
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { root } from "../../../scripts/paths.ts";
import { testFolder } from "../testFolder.ts";
import { type Counts, describeCounts } from "./counts.ts";
import { runMocha } from "./runMocha.ts";

const passing = 'it("passes", () => {});';
const failing = 'it("fails", () => { throw new Error("As it should."); });';

describe("a run of test files", () => {
  const folder = testFolder(root);

  async function run(texts: readonly string[], retries = 0): Promise<Counts> {
    const files = texts.map((text, index) => {
      const path = join(folder(), `${index}.test.mjs`);
      writeFileSync(path, text);
      return relative(root, path);
    });
    return runMocha(files, { timeout: 5_000, retries, reporter: Mocha.reporters.Base });
  }

  it("has the results of all files, whichever of them fails", async () => {
    const { passed, failures, ...others } = await run([failing, passing, failing, passing, passing]);
    assert.deepEqual(passed, ["passes", "passes", "passes"]);
    assert.equal(failures.length, 2);
    for (const failure of failures) assert.match(failure, /^fails\nError: As it should\./);
    assert.deepEqual(others, { skipped: 0, secondAttempts: [] });
  });

  it("fails if a process ends too early, or a file cannot be loaded", async () => {
    const exits = await run([passing, 'it("exits", () => process.exit(0));']);
    assert.equal(exits.failures.length, 1);
    const misses = await run([passing, 'import "./missing.mjs";']);
    assert.match(misses.failures.join("\n"), /Cannot find module .*missing/);
  });

  it("names second attempts above the counts, and what failed", async () => {
    const flaky = 'let runs = 0; it("opens", () => { if (runs++ === 0) throw new Error("The menu is empty."); });';
    const counts = await run([flaky, failing, passing], 1);
    const summary = describeCounts({ ...counts, skipped: 1 });
    assert.match(summary, /^failed: fails\nError: As it should\./);
    assert.match(summary, /^second attempt: opens\nError: The menu is empty\./m);
    assert.match(summary, /\n2 passed, 1 failed, 1 skipped$/);
  });
});
