import { mkdir, rm } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { outputFolder, root, screenshotsVariable } from "../../../scripts/paths.ts";
import { installBrowser } from "../host/chromium.ts";
import { notesVariable, readNotes } from "../host/notes.ts";
import { installServer } from "../host/server.ts";
import { type Counts, sum } from "./counts.ts";
import { runMocha, testFiles } from "./runMocha.ts";

/** Each window of VS Code keeps more than one processor busy. */
const mostJobs = 3;

/**
 * Runs the tests that drive a real VS Code with the packaged extension, and checks what they reached in total. As
 * in VS Code's own smoke tests, a test that fails gets a second attempt, because a real window on a busy machine can lose
 * a key. The summary names these, and keys that a test pressed again.
 */
export async function e2e(grep?: string): Promise<Counts> {
  // Before several processes need them at the same time.
  await installServer();
  await installBrowser();
  const notes = join(outputFolder, "notes");
  await rm(notes, { recursive: true, force: true });
  await mkdir(notes, { recursive: true });
  process.env[notesVariable] = notes;
  if (grep !== undefined) process.env[screenshotsVariable] = "1";
  const jobs = Math.min(mostJobs, availableParallelism());
  const hooks = join(root, "test", "e2e", "support", "hooks.ts");
  const counts = await runMocha(testFiles("test/e2e/*.test.ts"), { timeout: 240_000, grep, hooks, retries: 1, jobs });
  const repeated = readNotes().flatMap(([kind, what]) => (kind === "secondAttempt" ? [what] : []));
  const all = sum([counts, { passed: [], failures: [], skipped: 0, secondAttempts: repeated }]);
  if (grep !== undefined) return all;
  return sum([all, await runMocha(["test/coverage.test.ts"], { timeout: 10_000 })]);
}
