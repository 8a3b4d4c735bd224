import { fork } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { root } from "../../../scripts/paths.ts";
import { type Counts, sum } from "./counts.ts";

/** Options of a mocha run. */
export interface MochaOptions {
  /** Timeout per test, in milliseconds. */
  readonly timeout: number;
  readonly grep?: string | undefined;
  /** A module with `mochaHooks` for all tests, and `mochaGlobalTeardown` for the end of a process. */
  readonly hooks?: string;
  /** How many processes to run at the same time; by default one for each processor. */
  readonly processes?: number;
  /** How often a test that failed is run again; by default never. */
  readonly retries?: number;
}

/** What a process whose output is collected prints after each batch. */
export const endOfBatch = "\0";

/** Runs test files in a separate process, so that leftovers of a test end with it. */
export async function runMocha(files: readonly string[], options: MochaOptions): Promise<Counts | undefined> {
  const batches = [files];
  return runProcess(() => batches.shift(), options);
}

/** Most processes at the same time; each window of VS Code keeps more than one processor busy. */
const mostProcesses = 3;

/**
 * Runs batches of test files in a process for each processor, up to three. Each process takes the next batch when it has run
 * one, so the longest should come first. What a batch prints comes when it has ended.
 */
export async function runMochaInParallel(
  batches: readonly (readonly string[])[],
  options: MochaOptions,
  print: (text: string) => void = (text) => process.stdout.write(text),
): Promise<Counts | undefined> {
  const count = Math.min(mostProcesses, options.processes ?? availableParallelism());
  if (options.grep !== undefined || count < 2) return runMocha(batches.flat(), options);
  const left = [...batches];
  const next = (): readonly string[] | undefined => left.shift();
  const running = Array.from({ length: count }, async () => runProcess(next, options, whole(print)));
  const counts = await Promise.all(running);
  const ended = counts.filter((each) => each !== undefined);
  return ended.length === count ? sum(ended) : undefined;
}

/** Runs batches until there is none left; `undefined` if the process ends before. */
async function runProcess(
  next: () => readonly string[] | undefined,
  { timeout, grep, hooks, retries }: MochaOptions,
  /** Takes what the process prints. */
  print?: (text: string) => void,
): Promise<Counts | undefined> {
  const args = [`--timeout=${timeout}`];
  if (grep) args.push(`--grep=${grep}`);
  if (retries) args.push(`--retries=${retries}`);
  if (hooks) args.push(`--hooks=${hooks}`);
  if (print) args.push("--marks-ends");
  // Without the options of this process, among which may be some that are only for a script on the command line.
  const options = { cwd: root, execArgv: [], silent: print !== undefined };
  const child = fork(join(import.meta.dirname, "mochaProcess.ts"), args, options);
  if (print) for (const stream of [child.stdout, child.stderr]) stream?.setEncoding("utf8").on("data", print);
  const ended = once(child, "close").then(() => {
    print?.(endOfBatch);
  });
  const results: Counts[] = [];
  for (let files = next(); files; files = next()) {
    const told = once(child, "message") as Promise<Counts[]>;
    child.send(files);
    const [counts] = (await Promise.race([told, ended])) ?? [];
    if (!counts) return undefined;
    results.push(counts);
  }
  child.send([]);
  await ended;
  return sum(results);
}

/** Collects text and prints it batch by batch, so that what the processes print stays apart. */
function whole(print: (text: string) => void): (text: string) => void {
  let held = "";
  return (text) => {
    const [first = "", ...more] = text.split(endOfBatch);
    held += first;
    for (const next of more) {
      const lines = held.replace(/^\n+|\n+$/g, "");
      if (lines !== "") print(`${lines}\n\n`);
      held = next;
    }
  };
}

/** Test files in the order in which processes should take them: long files mostly have the tests that take long. */
export function longestFirst(files: readonly string[]): readonly string[] {
  const sizes = new Map(files.map((file) => [file, statSync(join(root, file)).size]));
  return files.toSorted((one, other) => (sizes.get(other) ?? 0) - (sizes.get(one) ?? 0));
}
