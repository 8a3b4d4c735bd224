import Mocha from "mocha";
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { root } from "../../../scripts/paths.ts";
import { testFolder } from "../testFolder.ts";
import { describeCounts } from "./counts.ts";
import { runMocha } from "./runMocha.ts";

describe("a run of test files", () => {
  const folder = testFolder(root);

  it("has the results of all files, also of one whose process ends too early, and names second attempts", async () => {
    const texts = [
      'it("passes", () => {});',
      'it("fails", () => { throw new Error("As it should."); });',
      'let runs = 0; it("opens", () => { if (runs++ === 0) throw new Error("The menu is empty."); });',
      'it("exits", () => process.exit(0));',
      'it.skip("waits");',
    ];
    const files = texts.map((text, index) => {
      const path = join(folder(), `${index}.test.mjs`);
      writeFileSync(path, text);
      return relative(root, path);
    });
    const counts = await runMocha(files, { timeout: 5_000, retries: 1, reporter: Mocha.reporters.Base });
    assert.deepEqual(counts.passed.toSorted(), ["opens", "passes"]);
    const summary = describeCounts(counts);
    assert.match(summary, /^failed: fails\nError: As it should\./m);
    assert.match(summary, /^second attempt: opens\nError: The menu is empty\./m);
    assert.match(summary, /\n2 passed, 2 failed, 1 skipped$/);
  });

  it("fails if a file cannot be loaded", async () => {
    const path = join(folder(), "misses.test.mjs");
    writeFileSync(path, 'import "./missing.mjs";');
    const { failures } = await runMocha([relative(root, path)], { timeout: 5_000, reporter: Mocha.reporters.Base });
    assert.match(failures.join("\n"), /Cannot find module .*missing/);
  });
});
