import assert from "node:assert/strict";
import type { ChatRequest, Gateway } from "../../../src/gateway/types.ts";
import {
  clientFor,
  failureOf,
  fakeClock,
  keys,
  leavesNothing,
  resultOf,
  startBench,
} from "../../support/faults/bench.ts";
import { allAsked, failure, holding, right, texts } from "../../support/faults/faults.ts";
import type { Fault } from "../../support/faults/faultServer.ts";
import { until } from "../../support/gateway/until.ts";
import { partsOf, question } from "../../support/localClient.ts";

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
          await using bench = await startBench();
          bench.primary.next(failure(status, "x", `${headers}\r\n`));
          const { outcome, error } = await bench.result(asked);
          const seen = `${outcome} ${bench.posts}`;
          const isWaitedFor = wait !== undefined && (status === 429 || wait <= besideHealthy);
          assert.deepEqual(bench.clock.waits, isWaitedFor ? [wait] : []);
          if (isWaitedFor) assert.equal(seen, "answer 2+0");
          else if (status !== 429 || asked !== "image") assert.equal(seen, "answer 1+1");
          else assert.deepEqual([seen, (error?.retryAfter ?? 0) >= 60_000], ["rateLimited 1+0", true]);
        }
      });
    }
  }

  const inSeconds = (seconds: number): Fault => failure(429, "x", `retry-after: ${String(seconds)}\r\n`);

  it("says when, where both entries are limited: the sooner of the two", async () => {
    for (const asked of texts) {
      await using bench = await startBench(inSeconds(3_600));
      bench.backup.always(inSeconds(600));
      const { outcome, error } = await bench.result(asked);
      assert.deepEqual([outcome, error?.entry, error?.retryAfter], ["rateLimited", "primary", 600_000]);
      assert.equal(bench.posts, "1+1");
    }
  });

  it("is remembered: no request is sent as long as it holds", async () => {
    for (const asked of allAsked) {
      await using bench = await startBench(inSeconds(3_600), { hasBackup: false });
      for (let turn = 0; turn < 10; turn += 1) {
        const { outcome, error } = await bench.result(asked);
        assert.deepEqual([outcome, error?.retryAfter], ["rateLimited", 3_600_000 - turn * 60_000]);
        assert.equal(error?.sent, turn === 0 ? "maybe" : "no");
        bench.clock.advance(60_000);
      }
      assert.equal(bench.primary.posts, 1);
      bench.clock.advance(3_000_000);
      bench.primary.always(right);
      assert.equal(await bench.outcome(asked), "answer");
      assert.equal(bench.primary.posts, 2);
    }
  });

  it("is remembered: questions go to the other entry, and to this one again when it is over", async () => {
    for (const asked of texts) {
      await using bench = await startBench();
      bench.primary.next(inSeconds(3_600));
      for (const posts of ["1+1", "1+2", "1+3"]) {
        assert.deepEqual([await bench.outcome(asked), bench.posts], ["answer", posts]);
      }
      assert.ok(bench.health.every(({ isHealthy }) => isHealthy));
      bench.clock.advance(3_600_000);
      assert.deepEqual([await bench.outcome(asked), bench.posts], ["answer", "2+3"]);
    }
  });

  const outcomeOf = async (gateway: Gateway, more: Partial<ChatRequest>): Promise<string> =>
    await partsOf(gateway.ask(question("Hi", more), new AbortController().signal)).then(
      () => "answer",
      (error: unknown) => failureOf(error).outcome,
    );

  it("is for the key and the model, through either API, and not for images, another model or another key", async () => {
    await using bench = await startBench(undefined, { hasBackup: false });
    let key = keys.codex;
    const tuning = { clock: bench.clock };
    const gateway = clientFor(() => bench.settings, tuning, { key: () => Promise.resolve(key) });
    const outcomes = [];
    bench.primary.next(inSeconds(3_600));
    for (const asked of ["chatStream", "responsesJson", "image"] as const) {
      outcomes.push((await resultOf(gateway, asked)).outcome);
    }
    for (const more of [{ model: "gpt-5.5" }, {}]) outcomes.push(await outcomeOf(gateway, more));
    key = "sk-other";
    outcomes.push(await outcomeOf(gateway, {}));
    assert.deepEqual(outcomes, ["rateLimited", "rateLimited", "answer", "answer", "rateLimited", "answer"]);
    await gateway.dispose();
    bench.primary.forget();
  });

  it("ends with an answer that was on its way", async () => {
    await using bench = await startBench(undefined, { hasBackup: false });
    const first = holding();
    bench.primary.next(first.fault, inSeconds(3_600));
    const running = bench.outcome();
    await until(() => bench.primary.posts === 1, 2_000, "the first is asked");
    assert.equal(await bench.outcome(), "rateLimited");
    first.release();
    assert.deepEqual([await running, await bench.outcome()], ["answer", "answer"]);
  });

  it("is waited for by the next question too, if it is short", async () => {
    await using bench = await startBench(undefined, { hasBackup: false });
    bench.primary.next(inSeconds(5));
    assert.equal(await outcomeOf(bench.gateway, { attempts: "one" }), "rateLimited");
    bench.clock.advance(1_000);
    assert.equal(await outcomeOf(bench.gateway, { attempts: "one" }), "rateLimited");
    assert.deepEqual([bench.clock.waits, bench.primary.posts], [[], 1]);
    assert.equal(await outcomeOf(bench.gateway, {}), "answer");
    assert.deepEqual([bench.clock.waits, bench.primary.posts], [[4_000], 2]);
  });
});
