import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "mocha";
import { allAsked, rightText } from "../../support/faults/answers.ts";
import { startBench } from "../../support/faults/bench.ts";
import { silence } from "../../support/faults/faults.ts";
import { leavesNothing } from "../../support/faults/leavesNothing.ts";
import { mixedFaultNames, mixedFaults } from "../../support/faults/mixed.ts";
import { resultOf } from "../../support/faults/scenario.ts";

/** Those that cost no time; the others are in the soak. */
const quick = mixedFaultNames.filter((name) => name !== "silence" && name !== "stalls");

describe("any mix of faults at both entries", () => {
  leavesNothing();

  it("orders an image once, keeps the text right, tries four times at the most", async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown): void => void unhandled.push(reason);
    process.on("unhandledRejection", note);
    const script = fc.array(fc.constantFrom(...quick), { minLength: 4, maxLength: 4 });
    const operations = fc.array(fc.tuple(fc.constantFrom(...allAsked), script, script), { minLength: 1, maxLength: 4 });
    const property = fc.asyncProperty(operations, async (mix) => {
      await using bench = await startBench(silence);
      for (const [asked, primary, backup] of mix) {
        let processed = 0;
        const before = bench.primary.posts + bench.backup.posts;
        for (const [entry, names] of [
          [bench.primary, primary.values()],
          [bench.backup, backup.values()],
        ] as const) {
          entry.always((exchange) => {
            const name = names.next().value ?? "right";
            if (mixedFaults[name].processed) processed += 1;
            mixedFaults[name].faultFor(asked)(exchange);
          });
        }
        const { outcome, text } = await resultOf(bench.gateway, asked);
        const posts = bench.primary.posts + bench.backup.posts - before;
        assert.ok(posts <= 4, `${posts} requests`);
        if (asked === "image") assert.ok(processed <= 1, `${processed} images may have been made`);
        else if (outcome === "answer") assert.equal(text, rightText);
        assert.doesNotMatch(outcome, /wrong/);
        bench.clock.advance(400_000);
      }
    });
    await fc.assert(property, { numRuns: 60, seed: 11 });
    process.off("unhandledRejection", note);
    assert.deepEqual(unhandled, []);
  });
});
