import { parseArgs } from "node:util";
import { packageExtension } from "../../scripts/packageExtension.ts";
import { downloadFolder } from "../../scripts/paths.ts";
import { collectTemporaryFiles } from "../../scripts/temporaryFiles.ts";
import promises from "../promises.json" with { type: "json" };
import { findBrowser } from "./host/chromium.ts";
import { hostVariable } from "./host/vscodeVersion.ts";
import { type Counts, describeCounts, sum } from "./stages/counts.ts";
import { e2e } from "./stages/e2e.ts";
import { suite } from "./stages/suite.ts";
import { unit, watchUnits } from "./stages/unit.ts";

/**
 * `npm test [-- unit|suite|e2e] [pattern] [--host version] [--watch]`: packages the extension and runs all tests or a part
 * of them. `--host` sets the version of code-server, and thereby of VS Code: 4.133.0 is VS Code 1.133.0. `--watch` runs unit
 * tests again after each change.
 */
const stages = { unit, suite, e2e };

/** Stages that run at the same time: the suite is one window, and unit tests often wait for sockets and programs. */
const rounds = [["unit", "suite"], ["e2e"]] as const;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { host: { type: "string" }, watch: { type: "boolean", default: false } },
});
if (values.host !== undefined) process.env[hostVariable] = values.host;
const [part, grep, ...others] = positionals;
if (others.length > 0) throw new Error(`Only one pattern can be given. Quote it if it has spaces: ${others.join(" ")}`);
const chosen = rounds.flat().filter((name) => part === undefined || name === part);
collectTemporaryFiles();
if (values.watch) {
  watchUnits(part === "unit" ? grep : part);
  process.exit();
}
if (chosen.length === 0) throw new Error(`There is no "${part ?? ""}" to test, only ${rounds.flat().join(", ")}.`);
if (part !== "unit") {
  printNeeds();
  await packageExtension();
}

const results: Counts[] = [];
for (const round of rounds) {
  const running = round.filter((name) => chosen.includes(name));
  if (running.length > 0) console.log(`\n== ${running.join(" and ")}`);
  const ended = await Promise.all(running.map(runStage));
  for (const { list } of ended) if (list !== undefined) console.log(list);
  results.push(...ended);
}

const isWhole = chosen.length === rounds.flat().length && grep === undefined;
// Windows has no symbolic links and no modes of files, and skips what is about these.
const checksPromises = isWhole && process.platform !== "win32";
const counts = sum(results);
const failures = [...counts.failures, ...(checksPromises ? withoutTest(counts.passed) : [])];
process.exitCode = failures.length > 0 ? 1 : 0;
console.log(`\n${describeCounts({ ...counts, failures })}`);
if (!isWhole) console.log("Only a run of all tests checks that a test has passed for each promise to users.");

async function runStage(name: keyof typeof stages): Promise<Counts> {
  const start = performance.now();
  const counts = checked(name, await stages[name](grep).catch(report));
  console.log(`== ${name}: ${((performance.now() - start) / 1000).toFixed(1)} s`);
  return counts;
}

/** Says what tests in VS Code need. */
function printNeeds(): void {
  console.log(`Tests in VS Code need
  Node.js 24: this is ${process.version}
  Chrome, Chromium, or Edge: ${findBrowser() ?? "not found, so Debian's Chromium is installed, if possible"}
  about 700 MB for VS Code, which is downloaded once, for all checkouts, to ${downloadFolder}`);
}

/** The promises to users that no test has held in this run, each with the title that is missing. */
function withoutTest(passed: readonly string[]): readonly string[] {
  return Object.entries(promises).flatMap(([promise, titles]) =>
    titles
      .filter((title) => !passed.some((one) => one.includes(title)))
      .map((title) => `promised, but no test "${title}" has passed: ${promise}`),
  );
}

/** Counts an aborted stage, or one without any tests, as a failure. */
function checked(name: string, counts: Counts | undefined): Counts {
  if (counts && counts.passed.length + counts.failures.length > 0) return counts;
  return { passed: [], failures: [`No test of "${name}" has run.`], skipped: 0, secondAttempts: [] };
}

function report(cause: unknown): undefined {
  console.error(cause);
}
