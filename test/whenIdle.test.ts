import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { whenIdle } from "../src/whenIdle.ts";

describe("work for when the extension host is idle", () => {
  const soon = { pause: 5, lateness: 1_000 };

  it("begins later, and goes on step by step, also after one that fails", async () => {
    const events: string[] = [];
    const step = (name: string) => async () => {
      events.push(`${name} begins`);
      await sleep(20);
      events.push(`${name} ends`);
    };
    const done = Promise.withResolvers<undefined>();
    const failing = (): Promise<never> => Promise.reject(new Error("The file is gone."));
    whenIdle([step("first"), failing, step("second"), ending(done)], soon);
    assert.deepEqual(events, []);
    await done.promise;
    assert.deepEqual(events, ["first begins", "first ends", "second begins", "second ends"]);
  });

  it("waits while the host is busy", async () => {
    let busy = 3;
    const done = Promise.withResolvers<undefined>();
    whenIdle([ending(done)], { pause: 20, lateness: 15 });
    const block = (): void => {
      const end = performance.now() + 60;
      while (performance.now() < end);
      busy -= 1;
      if (busy > 0) setTimeout(block, 0);
    };
    block();
    await done.promise;
    assert.equal(busy, 0);
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

/** A step that reports that it was reached. */
function ending({ resolve }: PromiseWithResolvers<undefined>): () => Promise<void> {
  return async () => {
    await Promise.resolve();
    resolve(undefined);
  };
}
