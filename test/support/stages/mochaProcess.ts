import Mocha from "mocha";
import { parseArgs } from "node:util";
import type { Counts } from "./counts.ts";
import { noteSecondAttempts } from "./noteSecondAttempts.ts";

/**
 * Runs test files with mocha and reports the counts to the parent process. Nothing may keep this process alive
 * afterwards.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    timeout: { type: "string" },
    grep: { type: "string" },
    hooks: { type: "string" },
    retries: { type: "string", default: "0" },
  },
});
const end = (): never => process.exit(130);
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, end);
process.once("disconnect", end);

const { timeout, grep, hooks, retries } = values;
const mocha = new Mocha({
  timeout: Number(timeout),
  retries: Number(retries),
  forbidOnly: Boolean(process.env.CI),
  ...(grep && { grep }),
});
if (hooks) mocha.rootHooks(((await import(hooks)) as { readonly mochaHooks: Mocha.RootHookObject }).mochaHooks);
for (const file of positionals) mocha.addFile(file);
await mocha.loadFilesAsync();
const [{ stats }, secondAttempts] = await new Promise<readonly [Mocha.Runner, readonly string[]]>((resolve) => {
  const runner = mocha.run(() => {
    resolve([runner, titles]);
  });
  const titles = noteSecondAttempts(runner);
});
const { passes: passed = 0, failures: failed = 1, pending: skipped = 0 } = stats ?? {};
const counts: Counts = { passed, failed, skipped, secondAttempts };
await new Promise((resolve) => process.send?.(counts, resolve));
process.exit(counts.failed > 0 ? 1 : 0);
