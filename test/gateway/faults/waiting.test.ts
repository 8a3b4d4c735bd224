import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { WaitingEvent } from "../../../src/gateway/types.ts";
import { allAsked, ask, type Asked, right, rightText, texts } from "../../support/faults/answers.ts";
import { type Bench, type BenchOptions, startBench } from "../../support/faults/bench.ts";
import { broken, silence } from "../../support/faults/faults.ts";
import { leavesNothing } from "../../support/faults/leavesNothing.ts";
import { resultOf } from "../../support/faults/scenario.ts";
import { until } from "../../support/gateway/until.ts";

/** A sign of life is waited for as long as for a connection. */
const options: BenchOptions = { limits: { silence: 60, connect: 500, connectWithStandby: 500 } };

interface Waiting {
  readonly outcome: Promise<string>;
  readonly events: readonly WaitingEvent[];
  /** Lets the primary answer what it has held back. */
  readonly release: () => void;
}

/** Asks a primary that holds its answer back, and notes what is told meanwhile. */
function askHolding({ gateway, primary }: Bench, asked: Asked): Waiting {
  const events: WaitingEvent[] = [];
  const held = Promise.withResolvers<undefined>();
  primary.next(
    (exchange) =>
      void held.promise.then(() => {
        right(asked)(exchange);
      }),
  );
  const outcome = ask(gateway, asked, undefined, [], (event) => events.push(event));
  return {
    outcome,
    events,
    release: () => {
      held.resolve(undefined);
    },
  };
}

/** Lets an entry give one sign of life beside an answer, which is what tells a dead one from one that gives none. */
async function showLife(bench: Bench, asked: Asked): Promise<void> {
  const { outcome, events, release } = askHolding(bench, asked);
  await until(() => events.length >= 1, 5_000, "a sign of life");
  release();
  assert.equal(await outcome, rightText);
  bench.primary.isAlive = false;
  bench.primary.forget();
}

describe("a silent entry", () => {
  leavesNothing();

  for (const asked of allAsked) {
    it(`that lives is thinking, and answers in the end: ${asked}`, async () => {
      await using bench = await startBench(right(asked), options);
      const { outcome, events, release } = askHolding(bench, asked);
      await until(() => events.length >= 2, 5_000, "told twice");
      release();
      assert.equal(await outcome, rightText);
      assert.ok(events.every(({ type, entry }) => type === "thinking" && entry === "primary"));
      assert.deepEqual([bench.primary.posts, bench.backup.posts], [1, 0]);
      assert.ok(bench.primary.probes >= 2);
    });
  }

  for (const asked of texts) {
    it(`that is dead is left for the other: ${asked}`, async () => {
      await using bench = await startBench(right(asked), options);
      await showLife(bench, asked);
      bench.primary.always(silence);
      assert.equal((await resultOf(bench.gateway, asked)).outcome, "answer");
      assert.deepEqual([bench.primary.posts, bench.primary.probes, bench.backup.posts], [1, 2, 1]);
      assert.equal(bench.health[0]?.isHealthy, false);
    });

    it(`that dies in the middle: ${asked}`, async () => {
      await using bench = await startBench(right(asked), options);
      await showLife(bench, asked);
      bench.primary.always(broken(asked, { framing: "chunked", after: 1, how: "stall" }));
      const { outcome } = await resultOf(bench.gateway, asked);
      assert.equal(outcome, asked.endsWith("Stream") ? "interrupted" : "answer");
      assert.equal(bench.health[0]?.isHealthy, false, "the next question does not wait for it");
    });

    it(`that gives no sign of life once, and then one, loses no answer: ${asked}`, async () => {
      await using bench = await startBench(right(asked), options);
      await showLife(bench, asked);
      const { outcome, events, release } = askHolding(bench, asked);
      await until(() => bench.primary.probes === 1, 5_000, "asked");
      bench.primary.isAlive = true;
      await until(() => events.length > 0, 5_000, "a sign of life");
      release();
      assert.equal(await outcome, rightText);
      assert.deepEqual([bench.primary.posts, bench.backup.posts], [1, 0]);
    });
  }

  it("that is dead may still send a paid image: the user is told and decides", async () => {
    await using bench = await startBench(right("image"), options);
    await showLife(bench, "image");
    const { outcome, events, release } = askHolding(bench, "image");
    await until(() => events.length >= 1, 5_000, "told");
    release();
    assert.equal(await outcome, rightText);
    assert.ok(events.every(({ type, entry }) => type === "unresponsive" && entry === "primary"));
    assert.deepEqual([bench.primary.posts, bench.backup.connections], [1, 0]);
  });

  it("is not asked for a sign of life once the operation is cancelled", async () => {
    await using bench = await startBench(silence, options);
    bench.primary.isAlive = false;
    const cancel = new AbortController();
    const running = resultOf(bench.gateway, "image", cancel.signal);
    await until(() => bench.primary.probes === 1, 5_000, "asked for a sign of life");
    cancel.abort();
    assert.equal((await running).outcome, "cancelled");
    await until(() => bench.primary.busy === 0, 100, "no connection is in use");
  });
});
