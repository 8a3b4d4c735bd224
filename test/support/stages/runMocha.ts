import Mocha from "mocha";
import { globSync, statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, sep } from "node:path";
import { root } from "../../../scripts/paths.ts";
import { type Counts, runCounted } from "./counts.ts";

/** Options of a mocha run. */
export interface RunOptions {
  /** Timeout of a test, in milliseconds. */
  readonly timeout: number;
  readonly grep?: string | undefined;
  /** A module with `mochaHooks` for all tests. */
  readonly hooks?: string;
  /** How often a test that fails is run again. Default 0. */
  readonly retries?: number;
  /** Number of processes. Default: one for each processor. */
  readonly jobs?: number;
  /** What prints the results. Default: a list of all tests. */
  readonly reporter?: Mocha.ReporterConstructor;
}

/** Lists all tests, and leaves failures and sums to the summary of all stages. */
class TestList extends Mocha.reporters.Spec {
  override epilogue(): void {
    // Nothing to print.
  }
}

/** Runs test files in parallel processes of mocha, which end with the run. The results of a file are printed as a whole. */
export async function runMocha(files: readonly string[], options: RunOptions): Promise<Counts> {
  const { timeout, grep, hooks, retries = 0, jobs = availableParallelism(), reporter = TestList } = options;
  const mocha = new Mocha({
    parallel: true,
    // With one job, mocha runs the tests in this process.
    jobs: Math.max(2, jobs),
    timeout,
    retries,
    reporter,
    ...(grep !== undefined && { grep }),
    ...(hooks !== undefined && { require: [hooks] }),
  });
  mocha.files = files.map((file) => join(root, file));
  return runCounted(mocha);
}

/** The test files of a pattern, by their paths in the repository, the largest first, as these mostly take longest. */
export function testFiles(pattern: string): readonly string[] {
  const files = globSync(pattern, { cwd: root }).map((path) => ({ path, size: sizeOf(path) }));
  return files.sort((one, other) => other.size - one.size).map(({ path }) => path.replaceAll(sep, "/"));
}

/** The size of a test file with those in the folder of its name, which it imports if they share a window of VS Code. */
function sizeOf(path: string): number {
  const imported = globSync(path.replace(/\.test\.ts$/, "/*.test.ts"), { cwd: root });
  return [path, ...imported].reduce((size, file) => size + statSync(join(root, file)).size, 0);
}
