import { globSync, readFileSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { cacheFolder, root, screenshotsVariable } from "../../../scripts/paths.ts";
import { reachedVariable } from "../host/reached.ts";
import { type Counts, sum } from "./counts.ts";
import { longestFirst, runMocha, runMochaInParallel } from "./runMocha.ts";

/**
 * Runs the tests that drive a real VS Code with the packaged extension, and checks what they reached in total. As
 * in VS Code's own smoke tests, a test that fails gets a second attempt, because a real window on a busy machine can lose
 * a key; the summary names each test that needed it.
 */
export async function e2e(grep?: string): Promise<Counts | undefined> {
  const reached = join(cacheFolder, "reached");
  await rm(reached, { recursive: true, force: true });
  await mkdir(reached, { recursive: true });
  process.env[reachedVariable] = reached;
  if (grep !== undefined) process.env[screenshotsVariable] = "1";
  const files = longestFirst(globSync("test/e2e/**/*.test.ts", { cwd: root }));
  const hooks = new URL("../../e2e/support/hooks.ts", import.meta.url).href;
  const counts = await runMochaInParallel(batchesOf(files), { timeout: 240_000, grep, hooks, retries: 1 });
  if (grep !== undefined || counts === undefined) return counts;
  const coverage = await runMocha(["test/coverage.test.ts"], { timeout: 10_000 });
  return coverage && sum([counts, coverage]);
}

/** Files that share a window run one after the other in the same process, which starts it once. */
function batchesOf(files: readonly string[]): readonly (readonly string[])[] {
  const isShared = (file: string): boolean => readFileSync(join(root, file), "utf8").includes("await sharedSession()");
  const shared = files.filter(isShared).sort();
  return [shared, ...files.filter((file) => !shared.includes(file)).map((file) => [file])];
}
