import Mocha from "mocha";
import { on } from "node:events";
import { parseArgs } from "node:util";
import type * as Hooks from "../../e2e/support/hooks.ts";
import "../vscode/register.ts";
import { type Counts, runCounted } from "./counts.ts";
import { endOfBatch } from "./runMocha.ts";

/**
 * Runs the test files that the parent process sends with mocha, batch by batch, and reports the counts of each. An empty
 * batch is the last. Nothing may keep this process alive afterwards.
 */
const { values } = parseArgs({
  options: {
    timeout: { type: "string" },
    grep: { type: "string" },
    hooks: { type: "string" },
    retries: { type: "string", default: "0" },
    "marks-ends": { type: "boolean", default: false },
  },
});
const end = (): never => process.exit(130);
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, end);
process.once("disconnect", end);

/** Leaves the sum to the stage, which knows all batches. */
class Reporter extends Mocha.reporters.Spec {
  override epilogue(): void {
    if (this.stats.failures > 0) super.epilogue();
  }
}

const { timeout, grep, hooks: hooksUrl, retries } = values;
const hooks = hooksUrl === undefined ? undefined : ((await import(hooksUrl)) as typeof Hooks);
for await (const [files] of on(process, "message") as AsyncIterable<readonly [readonly string[]]>) {
  if (files.length === 0) break;
  const counts = await run(files);
  if (values["marks-ends"]) await new Promise((resolve) => process.stdout.write(endOfBatch, resolve));
  process.send?.(counts);
}
await hooks?.mochaGlobalTeardown();
process.exit();

async function run(files: readonly string[]): Promise<Counts> {
  const mocha = new Mocha({
    timeout: Number(timeout),
    retries: Number(retries),
    forbidOnly: Boolean(process.env.CI),
    reporter: Reporter,
    ...(grep && { grep }),
  });
  if (hooks) mocha.rootHooks(hooks.mochaHooks);
  for (const file of files) mocha.addFile(file);
  await mocha.loadFilesAsync();
  return await runCounted(mocha);
}
