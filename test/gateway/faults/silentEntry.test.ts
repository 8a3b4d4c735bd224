import assert from "node:assert/strict";
import type { WaitingEvent } from "../../../src/gateway/types.ts";
import { ask, type Bench, type BenchOptions, leavesNothing, startBench } from "../support/bench.ts";
import {
  type Asked,
  broken,
  close,
  drip,
  failure,
  firstUseOnly,
  holding,
  raw,
  right,
  rightAnswer,
  rightText,
  sendJson,
  silence,
  texts,
} from "../support/faults.ts";
import type { Fault } from "../support/faultServer.ts";
import { each } from "../../support/each.ts";
import { until } from "../../support/until.ts";

/** A bench whose primary ignores checks. */
async function startDeaf(more: BenchOptions = {}): Promise<Bench> {
  const bench = await startBench(right, { limits: { silence: 30, connect: 1_000, connectWithStandby: 400 }, ...more });
  bench.primary.isAlive = false;
  return bench;
}

/** Limits with which a check may take long. */
const patient: BenchOptions = { limits: { silence: 20, connect: 500, connectWithStandby: 500 } };

/** A question whose answer is held back, and the events meanwhile. */
interface Waiting {
  readonly outcome: Promise<string>;
  readonly events: readonly WaitingEvent[];
  readonly release: () => void;
}

function askHolding({ gateway, primary }: Bench, asked: Asked = "chatStream", held: Fault = right): Waiting {
  const events: WaitingEvent[] = [];
  const { fault, release } = holding(held);
  primary.next(fault);
  return { outcome: ask(gateway, asked, undefined, [], (event) => events.push(event)), events, release };
}

async function checked({ primary }: Bench, count = 1): Promise<void> {
  const { probes } = primary;
  await until(() => primary.probes >= probes + count, `${count} more checks`);
}

const hedged = ({ backup }: Bench): Promise<unknown> => until(() => backup.posts === 1, "the other is asked too");

/** Releases a held answer, which must be right. */
async function arrives({ outcome, release }: Waiting): Promise<void> {
  release();
  assert.equal(await outcome, rightText);
}

/** Asks a frozen entry: the other is asked too, and at once by the next question. */
async function leavesFrozen(asked: Asked, fault: Fault, isKept: boolean): Promise<void> {
  await using bench = await startDeaf();
  if (isKept) {
    bench.primary.isAlive = true;
    assert.equal(await bench.outcome(asked), "answer");
    bench.primary.isAlive = false;
    bench.primary.forget();
  }
  bench.primary.always(fault);
  assert.deepEqual([await bench.outcome(asked), bench.posts], ["answer", "1+1"]);
  await until(() => bench.primary.busy === 0, "the silent request is canceled");
  assert.equal(bench.health[0]?.isHealthy, false);
  assert.deepEqual([await bench.outcome(asked), bench.posts], ["answer", "1+2"]);
}

describe("a silent entry that has never answered a check", () => {
  leavesNothing();

  each<[fault: Fault], boolean>([
    ["sends nothing on a new connection", silence, false],
    ["sends nothing on a kept connection", silence, true],
    ["sends a head", broken({ after: 0, how: "stall" }), false],
    ["sends an interim answer", raw("HTTP/1.1 102 Processing\r\n\r\n"), false],
  ]).hold(async (fault, isKept) => {
    await Promise.all(texts.map((asked) => leavesFrozen(asked, fault, isKept)));
  });

  it("sends only comments: it counts as silent from the last of them on", async () => {
    await using bench = await startDeaf();
    bench.primary.always(drip("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n", ": wait\n\n", 40, 10));
    const startedAt = performance.now();
    assert.equal(await bench.outcome(), "answer");
    assert.ok(performance.now() - startedAt > 700);
    assert.equal(bench.posts, "1+1");
  });

  it("answers first: its answer counts, and it is not hedged again for ten minutes", async () => {
    await using bench = await startDeaf();
    bench.backup.always(silence);
    const first = askHolding(bench);
    await hedged(bench);
    await arrives(first);
    await until(() => bench.backup.busy === 0, "the other request is canceled");
    assert.ok(bench.health.every(({ isHealthy }) => isHealthy));

    const second = askHolding(bench);
    await checked(bench, 3);
    await arrives(second);
    assert.equal(bench.posts, "2+1");

    bench.clock.advance(600_000);
    bench.backup.always(right);
    bench.primary.always(silence);
    assert.deepEqual([await bench.outcome(), bench.posts], ["answer", "3+2"]);
  });

  it("answers although the other entry fails, or is limited", async () => {
    for (const fault of [failure(500, "x"), failure(429, "x", "retry-after: 3600\r\n")]) {
      await using bench = await startDeaf();
      bench.backup.always(fault);
      const first = askHolding(bench);
      await until(() => bench.backup.posts > 0 && bench.backup.busy === 0, "the other has failed");
      await checked(bench);
      await arrives(first);
      assert.equal(bench.primary.posts, 1);
    }
  });

  it("fails late: the other answers", async () => {
    await using bench = await startDeaf();
    const other = holding();
    bench.backup.always(other.fault);
    const first = askHolding(bench, "chatStream", close);
    await hedged(bench);
    first.release();
    await until(() => bench.primary.busy === 0, "the first has failed");
    await arrives({ ...first, release: other.release });
    assert.equal(bench.posts, "1+1");
  });

  it("fails like the other: the more useful error is shown", async () => {
    await using bench = await startDeaf();
    const first = holding(failure(403, "x"));
    bench.primary.next(first.fault);
    bench.backup.always(failure(500, "x"));
    const running = bench.result();
    await until(() => bench.backup.posts === 2, "the other has failed twice");
    first.release();
    const { outcome, error } = await running;
    assert.deepEqual([outcome, error?.entry, error?.attempts.length], ["forbidden", "primary", 2]);
    assert.equal(bench.posts, "1+2");
  });

  it("is not hedged if no healthy entry is untried", async () => {
    await using bench = await startDeaf();
    bench.primary.next(failure(500, "x"), failure(500, "x"));
    bench.backup.always(close);
    await bench.outcome();
    const before = bench.backup.posts;
    const first = askHolding(bench);
    await checked(bench, 3);
    await arrives(first);
    assert.equal(bench.backup.posts, before);
  });

  it("is not hedged for a request with one attempt", async () => {
    await using bench = await startDeaf();
    const first = holding();
    bench.primary.next(first.fault);
    const running = bench.parts({ attempts: "one" });
    await checked(bench, 3);
    first.release();
    await running;
    assert.equal(bench.posts, "1+0");
  });

  it("is never hedged for a paid image, but reported as unresponsive", async () => {
    await using bench = await startDeaf();
    const order = askHolding(bench, "image");
    await until(() => order.events.length > 0, "the report");
    await arrives(order);
    assert.ok(order.events.every(({ type, entry }) => type === "unresponsive" && entry === "primary"));
    assert.deepEqual([bench.posts, bench.backup.connections], ["1+0", 0]);
  });

  for (const isOtherAsked of [false, true]) {
    it(`is left at once by Stop ${isOtherAsked ? "while both are asked" : "during the checks"}`, async () => {
      await using bench = await startDeaf();
      const { primary, backup } = bench;
      bench.always(silence);
      const cancel = new AbortController();
      const running = bench.outcome("chatStream", cancel.signal);
      await until(() => (isOtherAsked ? backup.posts : primary.probes) === 1, "it has come so far");
      cancel.abort();
      assert.equal(await running, "cancelled");
      await until(() => primary.busy + backup.busy === 0, "no connection is in use");
      assert.equal(bench.posts, isOtherAsked ? "1+1" : "1+0");
    });
  }
});

describe("an entry that fails late", () => {
  leavesNothing();

  /** Fails after this many milliseconds. */
  const late =
    ({ clock }: Bench, pause: number, fault: Fault): Fault =>
    (exchange) => {
      clock.advance(pause);
      fault(exchange);
    };

  it("is followed by a request on a new connection, because there is no time for a retry", async () => {
    await using bench = await startBench();
    bench.backup.always(firstUseOnly());
    bench.primary.next(failure(502, "x"), late(bench, 100_000, failure(524, "x")));
    for (const posts of ["1+1", "2+2"]) {
      assert.deepEqual([await bench.outcome(), bench.posts], ["answer", posts]);
    }
  });

  it("leaves time for a repetition without a refused field at the other entry", async () => {
    await using bench = await startBench();
    bench.primary.always(late(bench, 60_000, failure(504, "x")));
    const refusal = sendJson(400, { error: { message: "Unsupported parameter: 'stream'", param: "stream" } });
    bench.backup.always((exchange) => {
      (exchange.request.body.includes('"stream":true') ? refusal : right)(exchange);
    });
    assert.deepEqual([await bench.outcome(), bench.posts], ["answer", "1+2"]);
  });
});

/** A bench whose primary has answered a check before, but does not any more. */
async function startLively(asked: Asked, more: BenchOptions = {}): Promise<Bench> {
  const bench = await startBench(right, { ...patient, ...more });
  const first = askHolding(bench, asked);
  await until(() => first.events.length >= 1, "a sign of life");
  await arrives(first);
  bench.primary.isAlive = false;
  bench.primary.forget();
  return bench;
}

describe("a silent entry that answers checks", () => {
  leavesNothing();

  for (const asked of ["chatStream", "chatJson", "image"] as const) {
    it(`counts as thinking, and answers in the end: ${asked}`, async () => {
      await using bench = await startBench(right, patient);
      const first = askHolding(bench, asked);
      await until(() => first.events.length >= 2, "told twice");
      await arrives(first);
      assert.ok(first.events.every(({ type, entry }) => type === "thinking" && entry === "primary"));
      assert.equal(bench.posts, "1+0");
      assert.ok(bench.primary.probes >= 2);
    });
  }

  for (const asked of ["responsesStream", "chatJson"] as const) {
    it(`that is dead is replaced by the other: ${asked}`, async () => {
      await using bench = await startLively(asked);
      bench.primary.always(silence);
      assert.deepEqual([await bench.outcome(asked), bench.posts, bench.primary.probes], ["answer", "1+1", 2]);
      assert.equal(bench.health[0]?.isHealthy, false);
    });
  }

  for (const hasBackup of [true, false]) {
    it(`that seems dead in the middle of an answer is unhealthy, and may go on: ${hasBackup ? "one of two" : "alone"}`, async () => {
      await using bench = await startLively("chatStream", { hasBackup });
      const { fault, release } = holding(({ socket, request }) =>
        socket.end(rightAnswer(request).pieces.slice(1).join("")),
      );
      bench.primary.always((exchange) => {
        raw(
          `HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n${rightAnswer(exchange.request).pieces[0] ?? ""}`,
        )(exchange);
        fault(exchange);
      });
      const events: WaitingEvent[] = [];
      const answer = ask(bench.gateway, "chatStream", undefined, [], (event) => events.push(event));
      await until(() => events.some(({ type }) => type === "unresponsive"), "the user is told");
      assert.equal(bench.health[0]?.isHealthy, false, "the next question does not wait for it");
      release();
      assert.equal(await answer, rightText);
      assert.ok(bench.health.every(({ isHealthy }) => isHealthy));
    });
  }

  it("that is the only one may answer although it no longer answers checks", async () => {
    await using bench = await startLively("chatStream", { hasBackup: false });
    const first = askHolding(bench);
    await until(() => first.events.some(({ type }) => type === "unresponsive"), "the user is told");
    await arrives(first);
    assert.equal(bench.posts, "1+0");
  });

  it("that fails one check and answers the next is not replaced", async () => {
    await using bench = await startLively("chatStream");
    const first = askHolding(bench);
    await until(() => bench.primary.probes === 1, "asked");
    bench.primary.isAlive = true;
    await until(() => first.events.length > 0, "a sign of life");
    await arrives(first);
    assert.equal(bench.posts, "1+0");
  });
});
