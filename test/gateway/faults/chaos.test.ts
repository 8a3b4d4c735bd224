import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { type Asked, right, send, texts } from "../../support/faults/answers.ts";
import { startBench } from "../../support/faults/bench.ts";
import { chance, oneOf } from "../../support/faults/chance.ts";
import type { Fault } from "../../support/faults/faultServer.ts";
import { leavesNothing } from "../../support/faults/leavesNothing.ts";
import { mixedFaultNames, mixedFaults } from "../../support/faults/mixed.ts";
import { resultOf } from "../../support/faults/scenario.ts";

/** Faults that cost no time, and that are nobody's fault but the network's or the gateway's. */
const troubles = mixedFaultNames.filter(
  (name) => !["right", "silence", "stalls", "unauthorized", "redirect"].includes(name),
);

describe("chaos", () => {
  leavesNothing();

  for (const [where, most] of [
    ["the primary", 0],
    ["both entries", 0.04],
  ] as const) {
    it(`of 30 % at ${where} gives no wrong answer, and an answer nearly always`, async function () {
      this.timeout(120_000);
      const random = chance(30);
      const failures: string[] = [];
      const questions = 800;
      let asked: Asked = "chatStream";
      const weather: Fault = (exchange) => {
        const name = random() < 0.3 ? oneOf(troubles, random) : "right";
        mixedFaults[name].faultFor(asked)(exchange);
      };
      await using bench = await startBench(weather);
      if (where === "the primary")
        bench.backup.always((exchange) => {
          right(asked)(exchange);
        });
      for (let count = 0; count < questions; count += 1) {
        asked = oneOf(texts, random);
        // What is handed on is compared with the right answer, also where it broke off.
        const { outcome } = await resultOf(bench.gateway, asked);
        assert.doesNotMatch(outcome, /wrong/);
        // Nobody may ask again for what had begun to appear.
        if (outcome !== "answer" && outcome !== "interrupted") failures.push(outcome);
        bench.clock.advance(1_000);
      }
      assert.ok(failures.length <= most * questions, failures.join());
    });
  }

  it("of 10 % 502 without a backup is seen in less than 1 % of the questions", async function () {
    this.timeout(120_000);
    for (const seed of [1, 2, 3]) {
      const random = chance(seed);
      const badGateway = send(502, "text/html", "<html><title>Bad gateway");
      await using bench = await startBench(
        (exchange) => {
          (random() < 0.1 ? badGateway : right("chatStream"))(exchange);
        },
        { hasBackup: false },
      );
      const questions = 1_000;
      let failed = 0;
      for (let count = 0; count < questions; count += 1) {
        if ((await resultOf(bench.gateway, "chatStream")).outcome !== "answer") failed += 1;
        bench.clock.advance(1_000);
      }
      assert.ok(failed < questions / 100, `${failed} of ${questions}`);
      assert.ok(bench.primary.posts > questions * 1.05, "the weather is bad");
    }
  });
});
