import Mocha from "mocha";
import { parseArgs } from "node:util";

/**
 * Runs test files with mocha and reports the counts to the parent process. Nothing may keep this process alive
 * afterwards.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { timeout: { type: "string" }, grep: { type: "string" }, hooks: { type: "string" } },
});
const end = (): never => process.exit(130);
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, end);
process.once("disconnect", end);

const { timeout, grep, hooks } = values;
const mocha = new Mocha({ timeout: Number(timeout), forbidOnly: Boolean(process.env.CI), ...(grep && { grep }) });
if (hooks) mocha.rootHooks(((await import(hooks)) as { readonly mochaHooks: Mocha.RootHookObject }).mochaHooks);
for (const file of positionals) mocha.addFile(file);
await mocha.loadFilesAsync();
const { stats } = await new Promise<Mocha.Runner>((resolve) => {
  const runner = mocha.run(() => {
    resolve(runner);
  });
});
const counts = { passed: stats?.passes ?? 0, failed: stats?.failures ?? 1, skipped: stats?.pending ?? 0 };
await new Promise((resolve) => process.send?.(counts, resolve));
process.exit(counts.failed > 0 ? 1 : 0);
