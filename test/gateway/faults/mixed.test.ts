import assert from "node:assert/strict";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { leavesNothing, startBench } from "../../support/faults/bench.ts";
import { chance, oneOf } from "../../support/random.ts";
import { allAsked, rightText, silence } from "../../support/faults/faults.ts";
import type { Fault } from "../../support/faults/faultServer.ts";
import { faultNames, mixedFaults, processed, quickFaults } from "../../support/faults/mixedFaults.ts";
import { until } from "../../support/until.ts";

/** Bytes that are still in use after a full collection. */
function heapInUse(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc()");
  return process.memoryUsage().heapUsed;
}

/** Records unhandled rejections until `check`, which asserts that there were none. */
function watchRejections(): { readonly check: () => void } {
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  process.on("unhandledRejection", note);
  return {
    check: () => {
      process.off("unhandledRejection", note);
      assert.deepEqual(unhandled, []);
    },
  };
}

describe("any mix of faults", () => {
  leavesNothing();

  it("orders an image once, keeps the text right, tries four times at the most", async () => {
    const rejections = watchRejections();
    const script = fc.array(fc.constantFrom(...quickFaults), { minLength: 4, maxLength: 4 });
    const operations = fc.array(fc.tuple(fc.constantFrom(...allAsked), script, script), { minLength: 1, maxLength: 4 });
    const property = fc.asyncProperty(operations, async (mix) => {
      await using bench = await startBench(silence);
      for (const [asked, primary, backup] of mix) {
        let made = 0;
        const before = bench.primary.posts + bench.backup.posts;
        for (const [entry, names] of [
          [bench.primary, primary.values()],
          [bench.backup, backup.values()],
        ] as const) {
          entry.always((exchange) => {
            const name = names.next().value ?? "right";
            if (processed.has(name)) made += 1;
            mixedFaults[name](exchange);
          });
        }
        const { outcome, text } = await bench.result(asked);
        const posts = bench.primary.posts + bench.backup.posts - before;
        assert.ok(posts <= 4, `${posts} requests`);
        if (asked === "image") assert.ok(made <= 1, `${made} images may have been made`);
        else if (outcome === "answer") assert.equal(text, rightText);
        assert.doesNotMatch(outcome, /wrong/);
        bench.clock.advance(400_000);
      }
    });
    await fc.assert(property, { numRuns: 60, seed: 11 });
    rejections.check();
  });

  it("leaves nothing behind after 5,000 operations, 50 at a time", async function () {
    this.timeout(300_000);
    const [operations, atOnce] = [5_000, 50];
    const random = chance(2026);
    const rejections = watchRejections();
    const weather: Fault = (exchange) => {
      mixedFaults[random() < 0.5 ? "right" : oneOf(faultNames, random)](exchange);
    };
    const outcomes = new Map<string, number>();
    const heaps: number[] = [];
    {
      await using bench = await startBench(weather, { limits: { headers: 1_000, idle: 1_000, afterFinish: 20 } });
      let started = 0;
      const worker = async (): Promise<void> => {
        while (started < operations) {
          started += 1;
          if (started % 1_000 === 0) {
            bench.checkRequests();
            bench.reports.length = 0;
            heaps.push(heapInUse());
          }
          bench.clock.advance(100);
          const isCancelled = random() < 0.05;
          const signal = isCancelled ? AbortSignal.timeout(Math.ceil(random() * 20)) : undefined;
          const outcome = await bench.outcome(oneOf(allAsked, random), signal);
          outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        }
      };
      await Promise.all(Array.from({ length: atOnce }, worker));
      await until(() => bench.primary.busy + bench.backup.busy === 0, "no connection is in use");
    }
    rejections.check();
    const [early = 0, late = 0] = [heaps[0], heaps.at(-1)];
    assert.ok(late - early < 6 << 20, `memory in use: ${heaps.join()}`);
    assert.ok([...outcomes.keys()].every((outcome) => !outcome.startsWith("wrong")));
    // Half of the requests meet a fault, and some faults are final.
    const answers = outcomes.get("answer") ?? 0;
    assert.ok(answers > 0.4 * operations, `${answers} answers`);
  });
});
