import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { whenIdle } from "../src/whenIdle.ts";
import { until } from "./support/until.ts";

describe("work for when the extension host is idle", () => {
  const soon = { pause: 5, lateness: 1_000 };

  it("begins later, and goes on step by step, also after one that fails", async () => {
    const events: string[] = [];
    const step = (name: string) => async () => {
      events.push(`${name} begins`);
      await sleep(20);
      events.push(`${name} ends`);
    };
    const failing = (): Promise<never> => Promise.reject(new Error("The file is gone."));
    whenIdle([step("first"), failing, step("second")], soon);
    assert.equal(events.length, 0);
    await until(() => events.includes("second ends"));
    assert.deepEqual(events, ["first begins", "first ends", "second begins", "second ends"]);
  });

  it("waits while the host is busy", async () => {
    let busy = 3;
    const seen: number[] = [];
    whenIdle([() => Promise.resolve(seen.push(busy))], { pause: 20, lateness: 15 });
    const block = (): void => {
      const end = performance.now() + 60;
      while (performance.now() < end);
      busy -= 1;
      if (busy > 0) setTimeout(block, 0);
    };
    block();
    await until(() => seen.length > 0);
    assert.deepEqual(seen, [0]);
  });

  it("takes no further step once disposed", async () => {
    let steps = 0;
    const step = (): Promise<unknown> => {
      steps += 1;
      running.dispose();
      return Promise.resolve();
    };
    const running = whenIdle([step, step], soon);
    const other = whenIdle([step], soon);
    other.dispose();
    await sleep(100);
    assert.equal(steps, 1);
  });
});
