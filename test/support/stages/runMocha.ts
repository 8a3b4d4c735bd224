import { fork } from "node:child_process";
import { join } from "node:path";
import { root } from "../host/paths.ts";
import { asCounts, type Counts } from "./counts.ts";

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
export async function runMocha(
  files: readonly string[],
  { timeout, grep, hooks, retries }: MochaOptions,
): Promise<Counts | undefined> {
  const options = [`--timeout=${timeout}`];
  if (grep) options.push(`--grep=${grep}`);
  if (retries) options.push(`--retries=${retries}`);
  if (hooks) options.push(`--hooks=${hooks}`);
  const child = fork(join(import.meta.dirname, "mochaProcess.ts"), [...options, "--", ...files], { cwd: root });
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
