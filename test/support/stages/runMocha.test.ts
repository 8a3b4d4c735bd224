import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Counts, describeCounts, sum } from "./counts.ts";
import { type MochaOptions, runMochaInParallel } from "./runMocha.ts";

const passing = 'it("passes", () => {});';
const failing = 'it("fails", () => { throw new Error("As it should."); });';

/** Runs each of these texts as a test file, and tells what the hooks have noted as well. */
async function run(
  texts: readonly string[],
  more: Partial<MochaOptions> = {},
): Promise<{ counts: Counts | undefined; noted: string; printed: string }> {
  const folder = await mkdtemp(join(tmpdir(), "codex-gateway-mocha-"));
  try {
    const notes = join(folder, "notes.txt");
    const hooks = join(folder, "hooks.mjs");
    const note = `appendFileSync(${JSON.stringify(notes)}, `;
    await writeFile(
      hooks,
      `import { appendFileSync } from "node:fs";
       export const mochaHooks = { afterEach() { ${note}"test "); } };
       export const mochaGlobalTeardown = async () => { ${note}"end "); };`,
    );
    await writeFile(notes, "");
    const files = texts.map((_, index) => join(folder, `${index}.test.mjs`));
    for (const [index, file] of files.entries()) await writeFile(file, texts[index] ?? "");
    const options = { timeout: 5_000, hooks: pathToFileURL(hooks).href, ...more };
    let printed = "";
    const batches = files.map((file) => [file]);
    const counts = await runMochaInParallel(batches, options, (text) => (printed += text));
    return { counts, noted: await readFile(notes, "utf8"), printed };
  } finally {
    await rm(folder, { recursive: true });
  }
}

describe("test files in several processes", () => {
  before(function () {
    if (availableParallelism() < 2) this.skip();
  });

  it("run once each, and each process ends what its files share", async () => {
    const { counts, noted } = await run(Array<string>(5).fill(passing));
    assert.deepEqual(counts, {
      passed: Array(5).fill("passes"),
      failed: 0,
      skipped: 0,
      secondAttempts: [],
      failures: [],
    });
    assert.equal(noted.match(/test/g)?.length, 5);
    assert.equal(noted.match(/end/g)?.length, Math.min(3, availableParallelism()));
  });

  it("count with what fails in any of them, whatever follows", async () => {
    const { counts, printed } = await run([failing, passing, failing, passing]);
    assert.equal(counts?.passed.length, 2);
    assert.equal(counts.failed, 2);
    assert.equal(printed.match(/Error: As it should\./g)?.length, 2);
  });

  it("give no counts where one of them dies", async () => {
    const { counts } = await run([passing, 'it("dies", () => process.exit(0));', passing]);
    assert.equal(counts, undefined);
  });

  it("give no counts where a file cannot be loaded", async () => {
    const { counts, printed } = await run([passing, "import './missing.mjs';"]);
    assert.equal(counts, undefined);
    assert.match(printed, /Cannot find module .*missing/);
  });

  it("get a second attempt, which is named above the counts, as what failed is", async () => {
    const flaky = 'let left = 1; it("opens", () => { if (left-- > 0) throw new Error("The menu is empty."); });';
    const { counts, printed } = await run([flaky, failing, passing], { retries: 1 });
    assert.match(printed, /failed at the first attempt: opens\n.*The menu is empty\./);
    assert.ok(counts);
    assert.match(
      describeCounts(sum([counts, { passed: ["opens"], failed: 0, skipped: 1, secondAttempts: [], failures: [] }])),
      /^failed: fails\nError: As it should\.\n[^]*\npassed at the second attempt: opens\n3 passed, 1 failed, 1 skipped$/,
    );
  });
});
