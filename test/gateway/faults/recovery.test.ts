import assert from "node:assert/strict";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { ask, type Bench, leavesNothing, startBench } from "../support/bench.ts";
import {
  allAsked,
  bodyOf,
  broken,
  close,
  failure,
  holding,
  raw,
  reset,
  right,
  rightText,
  send,
  sendJson,
  silence,
} from "../support/faults.ts";
import type { Fault, SeenRequest } from "../support/faultServer.ts";
import { withResolver } from "../support/lookup.ts";
import { until } from "../../support/until.ts";
import { chance, oneOf } from "../../support/random.ts";

/** Waits until an open circuit permits a trial: its pause is over, and the check of the next question has succeeded. */
async function letRecover(bench: Bench, milliseconds: number): Promise<void> {
  const { clock, primary } = bench;
  clock.advance(milliseconds);
  const { probes } = primary;
  await bench.outcome();
  await until(() => primary.probes > probes && primary.busy === 0, "the check has succeeded");
}

describe("a primary that recovers", () => {
  leavesNothing();
  let isResolved = true;
  withResolver((name) => (name === "localhost" && !isResolved ? "ENOTFOUND" : ["127.0.0.1"]));

  it("gets its trial back after an unresolved name and a Stop while the backup thinks", async () => {
    await using bench = await startBench();
    const { primary, backup } = bench;
    // An address, so that it needs no resolver.
    bench.settings = { ...bench.settings, backupBaseUrl: `http://127.0.0.1:${backup.port}` };
    primary.always(close);
    await bench.outcome();
    await letRecover(bench, 30_000);
    isResolved = false;
    primary.always(right);
    const thinks = holding();
    backup.next(thinks.fault);
    const posts = backup.posts;
    const cancel = new AbortController();
    const stopped = bench.outcome("chatStream", cancel.signal);
    await until(() => backup.posts > posts, "the backup thinks");
    isResolved = true;
    const before = primary.posts;
    assert.deepEqual([await bench.outcome(), primary.posts], ["answer", before + 1], "the trial is free again");
    cancel.abort();
    assert.equal(await stopped, "cancelled");
    assert.deepEqual([await bench.outcome(), primary.posts], ["answer", before + 2]);
  });

  it("serves every question while its trial streams, and counts as healthy", async () => {
    await using bench = await startBench();
    const { primary, backup } = bench;
    primary.always(close);
    await bench.outcome();
    await letRecover(bench, 30_000);
    const [before, others] = [primary.posts, backup.posts];
    primary.always(right);
    primary.next(broken({ after: 1, how: "stall" }));
    const cancel = new AbortController();
    const parts: unknown[] = [];
    const trial = ask(bench.gateway, "chatStream", cancel.signal, parts as never).catch(() => "stopped");
    await until(() => parts.length > 1, "it streams");
    bench.clock.advance(330_000);
    for (let turn = 0; turn < 5; turn += 1) assert.equal(await bench.outcome(), "answer");
    assert.deepEqual([primary.posts - before, backup.posts - others], [6, 0]);
    assert.deepEqual([bench.health[0]?.isHealthy, bench.health[0]?.failingSince], [true, undefined]);
    cancel.abort();
    assert.equal(await trial, "stopped");
  });
});

describe("the health of an entry", () => {
  leavesNothing();

  for (const how of ["reset", "close"] as const) {
    it(`suffers from an answer that breaks off by a ${how}, so that the next question does not wait for a dead entry`, async () => {
      await using bench = await startBench();
      bench.primary.always(broken({ after: 1, how }));
      assert.equal(await bench.outcome(), "interrupted");
      assert.equal(bench.health[0]?.isHealthy, false);
      assert.deepEqual([await bench.outcome(), bench.posts], ["answer", "1+1"]);
    });
  }

  it("never suffers from an error of the request, or a limit", async () => {
    for (const fault of [failure(401, "x"), failure(404, "x"), failure(418, "x"), failure(429, "x")]) {
      await using bench = await startBench(fault);
      for (const asked of allAsked) await bench.outcome(asked);
      assert.ok(bench.health.every(({ isHealthy }) => isHealthy));
      assert.equal(bench.backup.posts, 0);
    }
  });
});

/** Faults after which an ordered image may have been created. */
const afterProcessing = {
  right,
  close,
  reset,
  silence,
  garbage: raw("GARBAGE\r\n\r\n"),
  cutChunked: broken({ after: 1, how: "reset" }),
  cutLength: broken({ framing: "length", after: 1, how: "close" }),
  cutBare: broken({ framing: "none", after: 1, how: "reset" }),
  cutEarly: broken({ after: 0, how: "close" }),
  stalls: broken({ after: 1, how: "stall" }),
  unfinished: broken({ after: 1, how: "end" }),
  empty: send(200, "application/json", ""),
  page: send(200, "text/html", "<html><title>Log in"),
  badGateway: send(502, "text/html", "<html><title>Bad gateway"),
} satisfies Readonly<Record<string, Fault>>;

/** Answers for random operations: the right one, and faults of every kind. */
const mixedFaults = {
  ...afterProcessing,
  refused: sendJson(400, { error: { message: "No." } }),
  refusedField: sendJson(400, { error: { message: "No.", param: "stream" } }),
  unauthorized: failure(401, "x"),
  notFound: failure(404, "x"),
  redirect: send(307, "text/plain", "", "location: http://localhost:9/\r\n"),
  rateLimited: failure(429, "x", "retry-after: 1\r\n"),
  rateLimitedForLong: failure(429, "x", "retry-after: 600\r\n"),
  serverError: failure(500, "x"),
  overloaded: failure(529, "x"),
  errorInside: failure(200, "overloaded_error"),
} satisfies Readonly<Record<string, Fault>>;

const faultNames = Object.keys(mixedFaults) as readonly (keyof typeof mixedFaults)[];

/** Faults that do not wait for a time limit. */
const quickFaults = faultNames.filter((name) => name !== "silence" && name !== "stalls");

/** The names of faults after which an ordered image may have been created. */
const processed: ReadonlySet<string> = new Set(Object.keys(afterProcessing));

/** Whether an image may have been made for this request. */
const isOrder = ({ path }: SeenRequest): boolean => path.endsWith("/images/generations");

/** Bytes that are still in use after a full collection. */
function heapInUse(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc()");
  return process.memoryUsage().heapUsed;
}

describe("any mix of faults", () => {
  leavesNothing();
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  before(() => process.on("unhandledRejection", note));
  after(() => {
    process.off("unhandledRejection", note);
    assert.deepEqual(unhandled, []);
  });

  it("orders an image once, keeps the text right, tries four times at the most", async () => {
    const script = fc.array(fc.constantFrom(...quickFaults), { minLength: 4, maxLength: 4 });
    const operations = fc.array(fc.tuple(fc.constantFrom(...allAsked), script, script), { minLength: 1, maxLength: 4 });
    const property = fc.asyncProperty(operations, async (mix) => {
      await using bench = await startBench(silence);
      for (const [asked, primary, backup] of mix) {
        let [posts, made] = [0, 0];
        for (const [entry, names] of [
          [bench.primary, primary.values()],
          [bench.backup, backup.values()],
        ] as const) {
          entry.always((exchange) => {
            const name = names.next().value ?? "right";
            posts += 1;
            if (isOrder(exchange.request) && processed.has(name)) made += 1;
            mixedFaults[name](exchange);
          });
        }
        const { outcome, text } = await bench.result(asked);
        assert.ok(posts <= 4 && made <= 1, `${posts} requests, ${made} images`);
        if (asked !== "image" && outcome === "answer") assert.equal(text, rightText);
        assert.doesNotMatch(outcome, /wrong/);
        bench.clock.advance(400_000);
      }
    });
    await fc.assert(property, { numRuns: 40, seed: 11 });
  });

  it("leaves no trial, timer, socket or memory behind, orders no image twice, and ends with a primary that recovers", async () => {
    const random = chance(42);
    let addresses = "";
    const limits = { headers: 500, idle: 500, silence: 100, silenceWithStandby: 50, silenceAfterCheck: 20 };
    await using bench = await startBench(right, {
      limits: { ...limits, connectWithStandby: 300, connect: 1_000, afterFinish: 10 },
      tuning: { addresses: () => addresses },
    });
    const { primary, backup, clock } = bench;
    /** The prompts of orders that may have been processed. */
    const ordered: string[] = [];
    const outcomes: string[] = [];
    const heaps: number[] = [];
    const storm: Fault = (exchange) => {
      const name = random() < 0.5 ? "right" : oneOf(random() < 0.05 ? faultNames : quickFaults, random);
      if (isOrder(exchange.request) && processed.has(name)) ordered.push(String(bodyOf(exchange.request).prompt));
      mixedFaults[name](exchange);
    };
    const stop = (): AbortSignal =>
      random() < 0.2 ? AbortSignal.timeout(Math.ceil(random() * 60)) : new AbortController().signal;
    for (let round = 0; round < 8; round += 1) {
      bench.always(storm);
      for (let turn = 0; turn < 5; turn += 1) {
        primary.isAlive = random() < 0.6;
        // The machine sleeps, or changes its network.
        if (random() < 0.3) clock.advance(random() * 900_000);
        if (random() < 0.2) addresses = String(random());
        const texts = Array.from({ length: 20 }, () => bench.outcome(oneOf(allAsked.slice(0, 4), random), stop()));
        const order = bench.gateway.generateImage({ prompt: `${round} ${turn}` }, stop()).catch(() => undefined);
        outcomes.push(...(await Promise.all(texts)));
        await order;
      }
      bench.always(right);
      primary.isAlive = true;
      await until(async () => {
        clock.advance(300_000);
        // A question may start a check, and the next one is the trial.
        await bench.outcome();
        const [atPrimary, atBackup] = [primary.posts, backup.posts];
        for (let turn = 0; turn < 3; turn += 1) if ((await bench.outcome()) !== "answer") return false;
        return primary.posts === atPrimary + 3 && backup.posts === atBackup;
      }, "the primary is in use again");
      bench.checkRequests();
      bench.reports.length = 0;
      heaps.push(heapInUse());
    }
    assert.equal(new Set(ordered).size, ordered.length, "no image is ordered twice");
    assert.deepEqual(
      outcomes.filter((outcome) => outcome.startsWith("wrong")),
      [],
    );
    // Half of the requests meet a fault, and some faults are final.
    const answers = outcomes.filter((outcome) => outcome === "answer").length;
    assert.ok(answers > 0.35 * outcomes.length, `${answers} answers`);
    assert.ok((heaps.at(-1) ?? 0) - (heaps[1] ?? 0) < 6 << 20, `memory in use: ${heaps.join()}`);
  }).timeout(300_000);
});
