import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { allAsked, right, texts } from "../../support/faults/answers.ts";
import { startBench } from "../../support/faults/bench.ts";
import { fakeClock } from "../../support/faults/fakeClock.ts";
import { failure } from "../../support/faults/faults.ts";
import { leavesNothing } from "../../support/faults/leavesNothing.ts";
import { resultOf } from "../../support/faults/scenario.ts";

/** What the wait is where the header tells none: half of the first second, by the bench's chance of 0.5. */
const byChance = 500;
/** The longest wait while the other entry is healthy. */
const besideHealthy = 2_000;
const date = (offset: number): string => new Date(fakeClock().now() + offset).toUTCString();

/** Headers and the wait in milliseconds that follows; `undefined`: longer than anybody waits. */
const rows: readonly (readonly [headers: string, wait: number | undefined])[] = [
  ["retry-after: 5", 5_000],
  ["retry-after: 20", 20_000],
  ["retry-after: 0", 0],
  ["retry-after: -1", byChance],
  ["retry-after: 1.5", 1_500],
  ["retry-after: ", byChance],
  ["retry-after: soon", byChance],
  [`retry-after: ${date(7_000)}`, 7_000],
  [`retry-after: ${date(-7_000)}`, 0],
  [`retry-after: ${date(60_000)}`, undefined],
  ["retry-after: 3600", undefined],
  ["retry-after-ms: 250", 250],
  ["retry-after: 5\r\nretry-after-ms: 250", 250],
  ["retry-after: 5\r\nretry-after-ms: x", 5_000],
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

  it("says when, where both entries are limited or there is but one", async () => {
    const limited = failure(429, "x", "retry-after: 3600\r\n");
    for (const asked of texts) {
      await using bench = await startBench(limited);
      const first = await resultOf(bench.gateway, asked);
      assert.deepEqual(
        [first.outcome, first.error?.entry, first.error?.retryAfter],
        ["rateLimited", "primary", 3_600_000],
      );
      assert.deepEqual([bench.primary.posts, bench.backup.posts], [1, 1]);
      await resultOf(bench.gateway, asked);
      assert.deepEqual([bench.primary.posts, bench.backup.posts], [2, 1], "the backup is known to be limited");
      bench.clock.advance(3_600_001);
      await resultOf(bench.gateway, asked);
      assert.deepEqual([bench.primary.posts, bench.backup.posts], [3, 2], "and not for ever");
      await using alone = await startBench(limited, { hasBackup: false });
      assert.equal((await resultOf(alone.gateway, asked)).error?.retryAfter, 3_600_000);
      assert.equal(alone.primary.posts, 1);
    }
  });

  it("starts nothing later than 60 s after the first attempt", async () => {
    await using bench = await startBench(failure(429, "x", "retry-after: 20\r\n"));
    bench.primary.always((exchange) => {
      bench.clock.advance(15_000);
      failure(429, "x", "retry-after: 20\r\n")(exchange);
    });
    assert.equal((await resultOf(bench.gateway, "image")).outcome, "rateLimited");
    assert.deepEqual([bench.clock.waits, bench.primary.posts], [[20_000], 2]);
  });
});
