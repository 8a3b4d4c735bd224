import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import { systemClock } from "../../../src/gateway/policy/clock.ts";

describe("the clock", () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;

  it("sleeps as long as it is told", async () => {
    const start = performance.now();
    await systemClock.sleep(20, new AbortController().signal);
    assert.ok(performance.now() - start > 18);
  });

  it("wakes with the reason of a cancel and leaves no timer behind", async () => {
    // Mocha sets its own timer only now.
    await setImmediate();
    const before = timers();
    const stop = new AbortController();
    const sleep = systemClock.sleep(60_000, stop.signal);
    const reason = new Error("Stop.");
    stop.abort(reason);
    await assert.rejects(sleep, reason);
    await assert.rejects(systemClock.sleep(60_000, stop.signal), reason);
    assert.equal(timers(), before);
  });
});
