import Mocha from "mocha";
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { root } from "../../../scripts/paths.ts";
import { testFolder } from "../testFolder.ts";
import { type Counts, describeCounts } from "./counts.ts";
import { runMocha } from "./runMocha.ts";

describe("a run of test files", () => {
  const folder = testFolder(root);

  async function run(...texts: readonly string[]): Promise<Counts> {
    const files = texts.map((text, index) => {
      const path = join(folder(), `${index}.test.mjs`);
      writeFileSync(path, text);
      return relative(root, path);
    });
    return runMocha(files, { timeout: 5_000, retries: 1, reporter: Mocha.reporters.Base });
  }

  it("has the results of all files, and names what failed or had a second attempt", async () => {
    const passing = 'it("passes", () => {});';
    const failing = 'it("fails", () => { throw new Error("As it should."); });';
    const flaky = 'let runs = 0; it("opens", () => { if (runs++ === 0) throw new Error("The menu is empty."); });';
    const summary = describeCounts({ ...(await run(failing, passing, failing, flaky, passing)), skipped: 1 });
    assert.equal(summary.match(/^failed: fails\nError: As it should\./gm)?.length, 2);
    assert.match(summary, /^second attempt: opens\nError: The menu is empty\./m);
    assert.match(summary, /\n3 passed, 2 failed, 1 skipped$/);
  });

  it("fails if a process ends too early, or a file cannot be loaded", async () => {
    const { failures } = await run('it("exits", () => process.exit(0));', 'import "./missing.mjs";');
    assert.match(failures.join("\n"), /Cannot find module .*missing/);
    assert.ok(failures.length >= 2, failures.join("\n"));
  });
});
