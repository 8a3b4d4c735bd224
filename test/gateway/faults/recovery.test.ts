import assert from "node:assert/strict";
import { leavesNothing, startBench } from "../../support/faults/bench.ts";
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
  send,
  sendJson,
  silence,
} from "../../support/faults/faults.ts";
import type { Fault } from "../../support/faults/faultServer.ts";
import { withResolver } from "../../support/faults/lookup.ts";
import { until } from "../../support/until.ts";
import { chance, oneOf } from "../../support/random.ts";

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
    bench.clock.advance(30_000);
    await bench.outcome();
    await until(
      () => primary.probes === 1 && primary.busy === 0,
      "the check has succeeded, so that a trial is permitted",
    );
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
});

/** Faults after which an ordered image may have been created. */
const afterProcessing = {
  right,
  close,
  reset,
  silence,
  garbage: raw("GARBAGE\r\n\r\n"),
  cutChunked: broken({ after: 1, how: "reset" }),
  cutBare: broken({ framing: "none", after: 1, how: "reset" }),
  stalls: broken({ after: 1, how: "stall" }),
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

describe("any mix of faults", () => {
  leavesNothing();
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  before(() => process.on("unhandledRejection", note));
  after(() => {
    process.off("unhandledRejection", note);
    assert.deepEqual(unhandled, []);
  });

  it("orders an image once, asks four times at the most, leaves nothing behind, and ends with a primary that recovers", async () => {
    const random = chance(42);
    let addresses = "";
    const limits = { headers: 500, idle: 500, silence: 100, silenceWithStandby: 50, silenceAfterCheck: 20 };
    await using bench = await startBench(right, {
      limits: { ...limits, connectWithStandby: 300, connect: 1_000, afterFinish: 10 },
      tuning: { addresses: () => addresses },
    });
    const { primary, backup, clock } = bench;
    /** The prompts of all requests for images, and of those that may have made one. */
    const [asked, made]: readonly [string[], string[]] = [[], []];
    const outcomes: string[] = [];
    const storm: Fault = (exchange) => {
      const name = random() < 0.5 ? "right" : oneOf(random() < 0.05 ? faultNames : quickFaults, random);
      const { prompt } = bodyOf(exchange.request);
      if (typeof prompt === "string") asked.push(prompt);
      if (typeof prompt === "string" && name in afterProcessing) made.push(prompt);
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
        const orders = [1, 2, 3].map((order) =>
          bench.gateway.generateImage({ prompt: `${round} ${turn} ${order}` }, stop()).catch(() => undefined),
        );
        outcomes.push(...(await Promise.all(texts)));
        await Promise.all(orders);
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
    }
    assert.equal(new Set(made).size, made.length, "no image is made twice");
    for (const prompt of asked) assert.ok(asked.filter((one) => one === prompt).length <= 4, prompt);
    assert.ok(!outcomes.some((outcome) => outcome.startsWith("wrong")));
    // Half of the requests meet a fault, and some faults are final.
    const answers = outcomes.filter((outcome) => outcome === "answer").length;
    assert.ok(answers > 0.35 * outcomes.length, `${answers} answers`);
  }).timeout(300_000);
});
