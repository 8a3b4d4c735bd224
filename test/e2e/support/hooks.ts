import type { Context, RootHookObject } from "mocha";
import { endSharedSession } from "./session.ts";
import { openWorkbenches } from "./workbench.ts";

/** What mocha calls around the end-to-end tests: a failure leaves a picture of each window. */
export const mochaHooks: RootHookObject = {
  async afterEach(this: Context): Promise<void> {
    if (this.currentTest?.state !== "failed") return;
    const name = this.currentTest.fullTitle().replace(/\W+/g, "-").slice(0, 120);
    for (const [index, workbench] of [...openWorkbenches].entries())
      await workbench.screenshot(`failed-${name}${index > 0 ? `-${index + 1}` : ""}`);
  },
  afterAll: endSharedSession,
};
