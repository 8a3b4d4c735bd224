import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { root, screenshotsVariable } from "../../../scripts/paths.ts";
import { installBrowser } from "../host/chromium.ts";
import { installServer } from "../host/server.ts";
import type { Counts } from "./counts.ts";
import { runMocha, testFiles } from "./runMocha.ts";
import { secondAttemptsVariable } from "./secondAttempts.ts";

/** Each window of VS Code keeps more than one processor busy. */
const mostJobs = 3;

/**
 * Runs the tests that drive a real VS Code with the packaged extension. As in VS Code's own smoke tests, a test that fails
 * gets a second attempt, because a real window on a busy machine can lose a key. The summary names these, and keys that a
 * test pressed again.
 */
export async function e2e(grep?: string): Promise<Counts> {
  // Before several processes need them at the same time.
  await installServer();
  await installBrowser();
  const repeated = join(tmpdir(), "secondAttempts.jsonl");
  writeFileSync(repeated, "");
  process.env[secondAttemptsVariable] = repeated;
  if (grep !== undefined) process.env[screenshotsVariable] = "1";
  const jobs = Math.min(mostJobs, availableParallelism());
  const hooks = join(root, "test", "e2e", "support", "hooks.ts");
  const counts = await runMocha(testFiles("test/e2e/*.test.ts"), { timeout: 240_000, grep, hooks, retries: 1, jobs });
  const lines = readFileSync(repeated, "utf8").trim().split("\n").filter(Boolean);
  const notes = lines.map((line) => JSON.parse(line) as string);
  return { ...counts, secondAttempts: [...counts.secondAttempts, ...notes] };
}
