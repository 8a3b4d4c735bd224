import { globSync } from "node:fs";
import { root } from "../../../scripts/paths.ts";
import type { Counts } from "./counts.ts";
import { longestFirst } from "./longestFirst.ts";
import { runMochaInParallel } from "./runMocha.ts";

/** Tests with other requirements than Node. */
const elsewhere = /^test[\\/]((suite|e2e|bench|samples)[\\/]|coverage\.test\.ts$)/;

/** Runs every test that needs no VS Code. One that fails gets a second attempt, which the summary names: find out why. */
export async function unit(grep?: string): Promise<Counts | undefined> {
  const files = globSync("test/**/*.test.ts", { cwd: root }).filter((file) => !elsewhere.test(file));
  const batches = longestFirst(files).map((file) => [file]);
  return runMochaInParallel(batches, { timeout: 60_000, grep, retries: 1 });
}
