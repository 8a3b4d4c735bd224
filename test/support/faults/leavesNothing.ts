import assert from "node:assert/strict";
import { until } from "../gateway/until.ts";

/** Asserts after every test of the block that as many sockets and timers are open as before. */
export function leavesNothing(): void {
  let before = "";
  beforeEach(async () => {
    before = await resources();
  });
  afterEach(async () => {
    await until(async () => (await resources()) === before, 20_000, "no socket or timer is left").catch(
      () => undefined,
    );
    assert.equal(await resources(), before);
  });
}

/**
 * The active resources of this process as text, without look-ups of names and child processes of other tests: nobody can
 * cancel what the system's resolver does, and both end by themselves. Asynchronous, because mocha's own timer starts with the first wait.
 */
async function resources(): Promise<string> {
  await Promise.resolve();
  const others = new Set(["GetAddrInfoReqWrap", "ProcessWrap", "PipeWrap"]);
  const resources = process.getActiveResourcesInfo().filter((name) => !others.has(name));
  return resources.sort().join();
}
