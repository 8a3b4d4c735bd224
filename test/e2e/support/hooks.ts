import type { Context, RootHookObject, Test } from "mocha";
import { screenshotsVariable } from "../../../scripts/paths.ts";
import { isSecondAttempt } from "../../support/stages/counts.ts";
import { endSharedSession, hasFailed } from "./session.ts";
import { openWorkbenches } from "./workbench.ts";

/**
 * What mocha calls around the end-to-end tests: a test that failed, or was run by a pattern, leaves a picture of each
 * window, and no test meets what a failed one left behind, neither its own second attempt nor another test.
 */
export const mochaHooks: RootHookObject = {
  async afterEach(this: Context): Promise<void> {
    const isFailed = hasFailed(this.currentTest);
    if (this.currentTest && (isFailed || process.env[screenshotsVariable]))
      await takePictures(this.currentTest, isFailed ? "failed-" : "");
    if (isFailed) await endSharedSession();
  },
};

/** Ends what the tests of all files share. */
export const mochaGlobalTeardown = endSharedSession;

async function takePictures(test: Test, prefix: string): Promise<void> {
  const title = test.fullTitle().replace(/\W+/g, "-").slice(0, 120);
  const name = `${prefix}${title}${isSecondAttempt(test) ? "-second-attempt" : ""}`;
  for (const [index, workbench] of [...openWorkbenches].entries())
    // A window that cannot be drawn any more must not end the whole run, as a failing hook does.
    await workbench.takeScreenshot(index > 0 ? `${name}-${index + 1}` : name).catch(console.error);
}
