import { fork } from "node:child_process";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { root } from "../host/paths.ts";
import { asCounts, type Counts, sum } from "./counts.ts";

/** Options of a mocha run. */
export interface MochaOptions {
  /** Timeout per test, in milliseconds. */
  readonly timeout: number;
  readonly grep?: string | undefined;
  /** A module with `mochaHooks` for all tests. */
  readonly hooks?: string;
  /** How often a test that failed is run again; by default never. */
  readonly retries?: number;
}

/** Runs test files in a separate process, so that leftovers of a test end with it. */
export async function runMocha(files: readonly string[], options: MochaOptions): Promise<Counts | undefined> {
  return runProcess(files, options);
}

/**
 * Runs many test files in two processes at the same time, where there are two processors: most tests either keep one busy
 * or wait for a window. Files beside each other in the list, which are often alike, go to different processes. What the
 * second process prints comes after what the first has printed.
 */
export async function runMochaTwice(files: readonly string[], options: MochaOptions): Promise<Counts | undefined> {
  if (options.grep !== undefined || availableParallelism() < 2) return runMocha(files, options);
  const [even = [], odd = []] = [0, 1].map((rest) => files.filter((_, index) => index % 2 === rest));
  const held: string[] = [];
  const [one, other] = await Promise.all([runProcess(even, options), runProcess(odd, options, held)]);
  console.log(held.join(""));
  return one && other && sum([one, other]);
}

async function runProcess(
  files: readonly string[],
  { timeout, grep, hooks, retries }: MochaOptions,
  /** Takes what the process prints. */
  held?: string[],
): Promise<Counts | undefined> {
  const args = [`--timeout=${timeout}`];
  if (grep) args.push(`--grep=${grep}`);
  if (retries) args.push(`--retries=${retries}`);
  if (hooks) args.push(`--hooks=${hooks}`);
  const program = join(import.meta.dirname, "mochaProcess.ts");
  const child = fork(program, [...args, "--", ...files], { cwd: root, silent: held !== undefined });
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => held?.push(text));
  }
  const told = new Promise<unknown>((resolve) => child.once("message", resolve));
  const ended = new Promise<undefined>((resolve, reject) => {
    child.once("error", reject).once("close", () => {
      resolve(undefined);
    });
  });
  const counts = asCounts(await Promise.race([told, ended]));
  await ended;
  return counts;
}
