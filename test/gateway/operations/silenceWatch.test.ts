import assert from "node:assert/strict";
import { mock } from "node:test";
import { setImmediate } from "node:timers/promises";
import { SilenceWatch } from "../../../src/gateway/operations/silenceWatch.ts";
import { Memory } from "../../../src/gateway/policy/memory.ts";
import { defaultTimeLimits } from "../../../src/gateway/timeLimits.ts";

describe("a model that thinks for 300 s", () => {
  beforeEach(() => {
    mock.timers.enable({ apis: ["setTimeout"] });
  });
  afterEach(() => {
    mock.timers.reset();
  });

  for (const [title, interval] of [
    ["in silence", Infinity],
    ["with a comment every 17 s", 17],
  ] as const)
    it(`costs at most 12 checks: ${title}`, async () => {
      let checks = 0;
      const isAlive = (): Promise<boolean> => {
        checks += 1;
        return Promise.resolve(true);
      };
      const context = { limits: defaultTimeLimits, memory: new Memory(() => 0), isAlive };
      const entry = { name: "primary", baseUrl: "https://gateway.example" } as const;
      const watch = new SilenceWatch(
        context,
        entry,
        () => true,
        () => undefined,
      );
      for (let second = 1; second <= 300; second += 1) {
        mock.timers.tick(1_000);
        await setImmediate();
        if (second % interval === 0) watch.touch();
      }
      watch.stop();
      assert.ok(checks >= 1 && checks <= 12, `${checks} checks`);
    });
});
