import assert from "node:assert/strict";
import type { WaitingEvent } from "../../../src/gateway/types.ts";
import { allAsked, ask, type Asked, question, right, rightText, texts } from "../../support/faults/answers.ts";
import { type Bench, type BenchOptions, startBench } from "../../support/faults/bench.ts";
import { broken, close, failure, raw, silence } from "../../support/faults/faults.ts";
import type { Fault } from "../../support/faults/faultServer.ts";
import { leavesNothing } from "../../support/faults/leavesNothing.ts";
import { resultOf } from "../../support/faults/scenario.ts";
import { until } from "../../support/gateway/until.ts";
import { partsOf } from "../../support/localClient.ts";

const options: BenchOptions = { limits: { silence: 60, connect: 300, connectWithStandby: 250 } };

/** A bench whose primary ignores checks. */
async function startDeaf(asked: Asked, more: BenchOptions = {}): Promise<Bench> {
  const bench = await startBench(right(asked), { ...options, ...more });
  bench.primary.isAlive = false;
  return bench;
}

/** The same, where a check takes as long as it may. */
const patient: BenchOptions = { limits: { silence: 60, connect: 500, connectWithStandby: 500 } };

const postsOf = ({ primary, backup }: Bench): string => `${primary.posts}+${backup.posts}`;

/** Holds answers back until `release` is called. */
function holding(fault: Fault): { readonly fault: Fault; readonly release: () => void } {
  const held = Promise.withResolvers<undefined>();
  return {
    fault: (exchange) =>
      void held.promise.then(() => {
        fault(exchange);
      }),
    release: () => {
      held.resolve(undefined);
    },
  };
}

/** Asks twice an entry that is frozen by a fault. */
async function leavesFrozen(asked: Asked, fault: Fault, isKept: boolean): Promise<void> {
  await using bench = await startDeaf(asked);
  if (isKept) {
    bench.primary.isAlive = true;
    assert.equal((await resultOf(bench.gateway, asked)).outcome, "answer");
    bench.primary.isAlive = false;
    bench.primary.forget();
  }
  bench.primary.always(fault);
  assert.equal((await resultOf(bench.gateway, asked)).outcome, "answer");
  assert.equal(postsOf(bench), "1+1");
  await until(() => bench.primary.busy === 0, 500, "the silent request is canceled");
  assert.equal(bench.health[0]?.isHealthy, false);
  assert.equal((await resultOf(bench.gateway, asked)).outcome, "answer");
  assert.equal(postsOf(bench), "1+2");
}

describe("a silent entry that has never taken a check", () => {
  leavesNothing();

  const frozen: Readonly<Record<string, (asked: Asked) => Fault>> = {
    "sends nothing": () => silence,
    "sends a head": (asked) => broken(asked, { framing: "chunked", after: 0, how: "stall" }),
    "sends an interim answer": () => raw("HTTP/1.1 102 Processing\r\n\r\n"),
    "sends half a status line": () => raw("HTTP/1.1 20"),
  };
  for (const [title, faultFor] of Object.entries(frozen)) {
    for (const isKept of [false, true]) {
      it(`and ${title}, on a ${isKept ? "kept" : "new"} connection: the other is asked too, and at once by the next question`, async () => {
        await Promise.all(texts.map((asked) => leavesFrozen(asked, faultFor(asked), isKept)));
      });
    }
  }

  it("sends comments and no part: silence begins with the last of them", async () => {
    await using bench = await startDeaf("chatStream");
    bench.primary.always(({ socket }) => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n");
      let comments = 0;
      const timer = setInterval(() => {
        comments += 1;
        if (comments > 10) clearInterval(timer);
        else socket.write(": wait\n\n");
      }, 40);
      socket.once("close", () => {
        clearInterval(timer);
      });
    });
    const startedAt = performance.now();
    assert.equal((await resultOf(bench.gateway, "chatStream")).outcome, "answer");
    assert.ok(performance.now() - startedAt > 700);
    assert.equal(postsOf(bench), "1+1");
  });

  it("answers first: its answer counts, and it is not hedged again for ten minutes", async () => {
    const answersFirst = async (asked: Asked): Promise<void> => {
      await using bench = await startDeaf(asked);
      bench.backup.always(silence);
      const first = askHolding(bench, asked);
      await until(() => bench.backup.posts === 1, 5_000, "the other is asked too");
      first.release();
      assert.equal(await first.outcome, rightText);
      await until(() => bench.backup.busy === 0, 500, "the other request is canceled");
      assert.ok(bench.health.every(({ isHealthy }) => isHealthy));

      const { probes } = bench.primary;
      const second = askHolding(bench, asked);
      await until(() => bench.primary.probes >= probes + 3, 5_000, "three more checks have failed");
      second.release();
      assert.equal(await second.outcome, rightText);
      assert.equal(postsOf(bench), "2+1");

      bench.clock.advance(600_000);
      bench.backup.always(right(asked));
      bench.primary.always(silence);
      assert.equal((await resultOf(bench.gateway, asked)).outcome, "answer");
      assert.equal(postsOf(bench), "3+2");
    };
    await Promise.all(texts.map(answersFirst));
  });

  it("takes a check in the end: both go on, the first to send a part wins", async () => {
    await using bench = await startDeaf("chatStream");
    bench.backup.always(silence);
    const first = askHolding(bench);
    await until(() => bench.backup.posts === 1, 5_000, "the other is asked too");
    const { probes } = bench.primary;
    bench.primary.isAlive = true;
    await until(() => bench.primary.probes > probes, 5_000, "it is checked again");
    first.release();
    assert.equal(await first.outcome, rightText);
    assert.equal(postsOf(bench), "1+1");
  });

  it("loses no answer where the other entry fails, and none to a later failure of its own", async () => {
    const answersWhere = async (fault: Fault): Promise<void> => {
      await using bench = await startDeaf("chatStream");
      bench.backup.always(fault);
      const first = askHolding(bench);
      await until(() => bench.backup.posts > 0 && bench.backup.busy === 0, 5_000, "the other has failed");
      const { probes } = bench.primary;
      await until(() => bench.primary.probes > probes, 5_000, "it is waited for");
      first.release();
      assert.equal(await first.outcome, rightText);
      assert.equal(bench.primary.posts, 1);
    };
    const limited = failure(429, "x", "retry-after: 3600\r\n");
    await Promise.all([failure(500, "x"), failure(401, "x"), close, limited].map(answersWhere));
    await using bench = await startDeaf("chatStream");
    const other = holding(right("chatStream"));
    bench.backup.always(other.fault);
    const first = askHolding(bench, "chatStream", close);
    await until(() => bench.backup.posts === 1, 5_000, "the other is asked too");
    first.release();
    await until(() => bench.primary.busy === 0, 5_000, "the first has failed");
    other.release();
    assert.equal(await first.outcome, rightText);
    assert.equal(postsOf(bench), "1+1");
  });

  it("fails like the other: the user reads what either of them says", async () => {
    await using bench = await startDeaf("chatStream");
    const first = holding(failure(403, "x"));
    bench.primary.next(first.fault);
    bench.backup.always(failure(500, "x"));
    const running = resultOf(bench.gateway, "chatStream");
    await until(() => bench.backup.posts === 2, 5_000, "the other has failed twice");
    first.release();
    const { outcome, error } = await running;
    assert.deepEqual([outcome, error?.entry, error?.attempts.length], ["forbidden", "primary", 2]);
    assert.equal(postsOf(bench), "1+2");
  });

  it("is not left where no healthy entry is untried", async () => {
    for (const hasBackup of [false, true]) {
      await using bench = await startDeaf("chatStream", { hasBackup });
      if (hasBackup) {
        bench.primary.next(failure(500, "x"), failure(500, "x"));
        bench.backup.always(close);
        await resultOf(bench.gateway, "chatStream");
      }
      const before = bench.backup.posts;
      const first = askHolding(bench);
      const { probes } = bench.primary;
      await until(() => bench.primary.probes >= probes + 3, 5_000, "three checks have failed");
      first.release();
      assert.equal(await first.outcome, rightText);
      assert.equal(bench.backup.posts, before);
    }
  });

  it("is not left by a request of one attempt", async () => {
    await using bench = await startDeaf("chatStream");
    const first = holding(right("chatStream"));
    bench.primary.next(first.fault);
    const running = partsOf(bench.gateway.ask({ ...question, attempts: "one" }, new AbortController().signal));
    await until(() => bench.primary.probes >= 3, 5_000, "three checks have failed");
    first.release();
    await running;
    assert.equal(postsOf(bench), "1+0");
  });

  it("is never left for a paid image: the user is told", async () => {
    await using bench = await startDeaf("image");
    const { outcome, events, release } = askHolding(bench, "image");
    await until(() => events.length > 0, 5_000, "told");
    release();
    assert.equal(await outcome, rightText);
    assert.ok(events.every(({ type, entry }) => type === "unresponsive" && entry === "primary"));
    assert.deepEqual([postsOf(bench), bench.backup.connections], ["1+0", 0]);
  });

  for (const [title, isOtherAsked] of [
    ["during the checks", false],
    ["while both are asked", true],
  ] as const) {
    it(`is left at once by Stop: ${title}`, async () => {
      await using bench = await startDeaf("chatStream");
      bench.primary.always(silence);
      bench.backup.always(silence);
      const cancel = new AbortController();
      const running = resultOf(bench.gateway, "chatStream", cancel.signal);
      const { primary, backup } = bench;
      await until(() => (isOtherAsked ? backup.posts : primary.probes) === 1, 5_000, "it has come so far");
      cancel.abort();
      assert.equal((await running).outcome, "cancelled");
      await until(() => primary.busy + backup.busy === 0, 100, "no connection is in use");
      assert.equal(postsOf(bench), isOtherAsked ? "1+1" : "1+0");
    });
  }

  it("is asked again after five minutes, though no check succeeds", async () => {
    await using bench = await startDeaf("chatStream");
    bench.primary.next(silence);
    assert.equal((await resultOf(bench.gateway, "chatStream")).outcome, "answer");
    const openedAt = bench.clock.now();
    while (bench.primary.posts < 2) {
      bench.clock.advance(10_000);
      const { probes } = bench.primary;
      const isDue = (bench.health[0]?.nextTry ?? 0) <= bench.clock.now();
      assert.equal((await resultOf(bench.gateway, "chatStream")).outcome, "answer");
      if (isDue && bench.primary.posts < 2) {
        await until(() => bench.primary.probes > probes && bench.primary.busy === 0, 2_000, "the check is over");
      }
    }
    const passed = bench.clock.now() - openedAt;
    assert.ok(passed > 300_000 && passed <= 320_000, `${passed} ms`);
    assert.ok(bench.health.every(({ isHealthy }) => isHealthy));
    assert.equal((await resultOf(bench.gateway, "chatStream")).outcome, "answer");
    assert.equal(bench.primary.posts, 3);
  });
});

describe("an entry that fails late", () => {
  leavesNothing();

  it("is left on a new connection, because there is no time for a second try", async () => {
    await using bench = await startBench(right("chatJson"));
    bench.primary.next(failure(502, "x"));
    assert.equal((await resultOf(bench.gateway, "chatJson")).outcome, "answer");
    const kept = bench.backup.requests.length;
    bench.backup.always((exchange) => {
      if (exchange.socket.bytesWritten > 0) exchange.socket.destroy();
      else right("chatJson")(exchange);
    });
    bench.primary.next((exchange) => {
      bench.clock.advance(100_000);
      failure(524, "x")(exchange);
    });
    assert.equal((await resultOf(bench.gateway, "chatJson")).outcome, "answer");
    assert.equal(bench.backup.posts, kept + 1);
  });

  it("sends the other entry's refusal of a field back to it, for an answer", async () => {
    await using bench = await startBench(right("chatStream"));
    bench.primary.always((exchange) => {
      bench.clock.advance(60_000);
      failure(504, "x")(exchange);
    });
    const refusal = JSON.stringify({ error: { message: "Unsupported parameter: 'stream'", param: "stream" } });
    bench.backup.always((exchange) => {
      if (!exchange.request.body.includes('"stream":true')) right("chatJson")(exchange);
      else
        exchange.socket.end(
          `HTTP/1.1 400 X\r\ncontent-type: application/json\r\ncontent-length: ${refusal.length}\r\n\r\n${refusal}`,
        );
    });
    assert.equal((await resultOf(bench.gateway, "chatStream")).outcome, "answer");
    assert.equal(postsOf(bench), "1+2");
  });
});

/** An entry that holds its answer back, asked with what is told meanwhile. */
interface Waiting {
  readonly outcome: Promise<string>;
  readonly events: readonly WaitingEvent[];
  readonly release: () => void;
}

function askHolding({ gateway, primary }: Bench, asked: Asked = "chatStream", held = right(asked)): Waiting {
  const events: WaitingEvent[] = [];
  const { fault, release } = holding(held);
  primary.next(fault);
  return { outcome: ask(gateway, asked, undefined, [], (event) => events.push(event)), events, release };
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

describe("a silent entry that takes checks", () => {
  leavesNothing();

  for (const asked of allAsked) {
    it(`that lives is thinking, and answers in the end: ${asked}`, async () => {
      await using bench = await startBench(right(asked), patient);
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
      await using bench = await startBench(right(asked), patient);
      await showLife(bench, asked);
      bench.primary.always(silence);
      assert.equal((await resultOf(bench.gateway, asked)).outcome, "answer");
      assert.deepEqual([bench.primary.posts, bench.primary.probes, bench.backup.posts], [1, 2, 1]);
      assert.equal(bench.health[0]?.isHealthy, false);
    });

    it(`that dies in the middle: ${asked}`, async () => {
      await using bench = await startBench(right(asked), patient);
      await showLife(bench, asked);
      bench.primary.always(broken(asked, { framing: "chunked", after: 1, how: "stall" }));
      const { outcome } = await resultOf(bench.gateway, asked);
      assert.equal(outcome, asked.endsWith("Stream") ? "interrupted" : "answer");
      assert.equal(bench.health[0]?.isHealthy, false, "the next question does not wait for it");
    });

    it(`that gives no sign of life once, and then one, loses no answer: ${asked}`, async () => {
      await using bench = await startBench(right(asked), patient);
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
});
