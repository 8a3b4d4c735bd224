import assert from "node:assert/strict";
import type { ChatRequest, Gateway } from "../../../src/gateway/types.ts";
import { allAsked, question, right, texts } from "../../support/faults/answers.ts";
import { startBench } from "../../support/faults/bench.ts";
import { fakeClock } from "../../support/faults/fakeClock.ts";
import { failure } from "../../support/faults/faults.ts";
import type { Fault } from "../../support/faults/faultServer.ts";
import { leavesNothing } from "../../support/faults/leavesNothing.ts";
import { failureOf, resultOf } from "../../support/faults/scenario.ts";
import { partsOf } from "../../support/localClient.ts";

/** What the wait is where the header tells none: half of the first second, by the bench's chance of 0.5. */
const byChance = 500;
/** The longest wait while the other entry is healthy. */
const besideHealthy = 2_000;
const date = (offset: number): string => new Date(fakeClock().now() + offset).toUTCString();

/** Headers and the wait in milliseconds that follows; `undefined`: longer than anybody waits. */
const rows: readonly (readonly [headers: string, wait: number | undefined])[] = [
  ["retry-after: 5", 5_000],
  ["retry-after: 0", 0],
  ["retry-after: -1", byChance],
  [`retry-after: ${date(60_000)}`, undefined],
  ["retry-after-ms: 250", 250],
];

describe("faults: Retry-After", () => {
  leavesNothing();

  for (const [headers, wait] of rows) {
    for (const status of [429, 503, 529]) {
      it(`${status} with ${JSON.stringify(headers)}`, async () => {
        for (const asked of allAsked) {
          await using bench = await startBench(right(asked));
          bench.primary.next(failure(status, "x", `${headers}\r\n`));
          const { outcome, error } = await resultOf(bench.gateway, asked);
          const seen = [outcome, bench.primary.posts, bench.backup.posts];
          const isWaitedFor = wait !== undefined && (status === 429 || wait <= besideHealthy);
          assert.deepEqual(bench.clock.waits, isWaitedFor ? [wait] : []);
          if (isWaitedFor) assert.deepEqual(seen, ["answer", 2, 0]);
          else if (status !== 429 || asked !== "image") assert.deepEqual(seen, ["answer", 1, 1]);
          else assert.deepEqual([...seen, (error?.retryAfter ?? 0) >= 60_000], ["rateLimited", 1, 0, true]);
        }
      });
    }
  }

  const inSeconds = (seconds: number): Fault => failure(429, "x", `retry-after: ${String(seconds)}\r\n`);

  it("says when, where both entries are limited or there is but one", async () => {
    for (const asked of texts) {
      await using bench = await startBench(inSeconds(3_600));
      bench.backup.always(inSeconds(600));
      const first = await resultOf(bench.gateway, asked);
      assert.deepEqual([first.outcome, first.error?.entry], ["rateLimited", "primary"]);
      assert.equal(first.error?.retryAfter, 600_000, "the sooner of the two");
      assert.deepEqual([bench.primary.posts, bench.backup.posts], [1, 1]);
      await using alone = await startBench(inSeconds(3_600), { hasBackup: false });
      assert.equal((await resultOf(alone.gateway, asked)).error?.retryAfter, 3_600_000);
      assert.equal(alone.primary.posts, 1);
    }
  });

  it("is remembered: no request is sent as long as it holds", async () => {
    for (const asked of allAsked) {
      await using bench = await startBench(inSeconds(3_600), { hasBackup: false });
      for (let turn = 0; turn < 10; turn += 1) {
        const { outcome, error } = await resultOf(bench.gateway, asked);
        assert.deepEqual([outcome, error?.retryAfter], ["rateLimited", 3_600_000 - turn * 60_000]);
        bench.clock.advance(60_000);
      }
      assert.equal(bench.primary.posts, 1);
      bench.clock.advance(3_000_000);
      bench.primary.always(right(asked));
      assert.equal((await resultOf(bench.gateway, asked)).outcome, "answer");
      assert.equal(bench.primary.posts, 2);
    }
  });

  it("is remembered: questions go to the other entry, and to this one again when it is over", async () => {
    for (const asked of texts) {
      await using bench = await startBench(right(asked));
      bench.primary.next(inSeconds(3_600));
      for (let turn = 0; turn < 3; turn += 1) assert.equal((await resultOf(bench.gateway, asked)).outcome, "answer");
      assert.deepEqual([bench.primary.posts, bench.backup.posts], [1, 3]);
      assert.ok(bench.health.every(({ isHealthy }) => isHealthy));
      bench.clock.advance(3_600_000);
      assert.equal((await resultOf(bench.gateway, asked)).outcome, "answer");
      assert.deepEqual([bench.primary.posts, bench.backup.posts], [2, 3]);
    }
  });

  const outcomeOf = async (gateway: Gateway, more: Partial<ChatRequest>): Promise<string> =>
    await partsOf(gateway.ask({ ...question, ...more }, new AbortController().signal)).then(
      () => "answer",
      (error: unknown) => failureOf(error).outcome,
    );

  it("is waited for by the next question too, if it is short", async () => {
    await using bench = await startBench(right("chatJson"), { hasBackup: false });
    bench.primary.next(inSeconds(5));
    assert.equal(await outcomeOf(bench.gateway, { attempts: "one" }), "rateLimited");
    bench.clock.advance(1_000);
    assert.equal(await outcomeOf(bench.gateway, { attempts: "one" }), "rateLimited");
    assert.deepEqual([bench.clock.waits, bench.primary.posts], [[], 1]);
    assert.equal(await outcomeOf(bench.gateway, {}), "answer");
    assert.deepEqual([bench.clock.waits, bench.primary.posts], [[4_000], 2]);
  });
});
