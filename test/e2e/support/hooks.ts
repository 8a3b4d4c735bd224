import type { Context, RootHookObject, Test } from "mocha";
import { screenshotsVariable } from "../../../scripts/paths.ts";
import { running, slug, takePicture } from "./attempts.ts";
import { endSession, hasFailed } from "./session.ts";
import { openWorkbenches } from "./workbench.ts";

// The servers of VS Code end with this process, but not if a signal kills it.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => process.exit(130));

/** Hooks of all end-to-end tests: a test that fails, or is run by a pattern, leaves a picture of each window. */
export const mochaHooks: RootHookObject = {
  beforeEach(this: Context): void {
    running.test = this.currentTest?.fullTitle() ?? "";
  },
  async afterEach(this: Context): Promise<void> {
    const isFailed = hasFailed(this.currentTest);
    if (this.currentTest && (isFailed || process.env[screenshotsVariable]))
      await takePictures(this.currentTest, isFailed ? "failed-" : "");
  },
  /** Runs after all blocks of a file. */
  afterAll: endSession,
};

async function takePictures(test: Test, prefix: string): Promise<void> {
  // Not in the types of mocha (DefinitelyTyped), but in its documented API.
  const isRepeated = (test as Test & { currentRetry(): number }).currentRetry() > 0;
  const name = `${prefix}${slug(test.fullTitle())}${isRepeated ? "-second-attempt" : ""}`;
  for (const [index, { page }] of [...openWorkbenches].entries())
    // A window that cannot be drawn any more must not end the whole run, as a failing hook does.
    await takePicture(page, index > 0 ? `${name}-${index + 1}` : name).catch(console.error);
}
