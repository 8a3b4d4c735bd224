import assert from "node:assert/strict";
import type { ChatRequest, Gateway } from "../../../src/gateway/types.ts";
import { clientFor, describeFailure, fakeClock, keys, leavesNothing, resultOf, startBench } from "../support/bench.ts";
import { allAsked, event, failure, holding, right, sendJson, stream } from "../support/faults.ts";
import type { Fault } from "../support/faultServer.ts";
import { each } from "../../support/each.ts";
import { until } from "../../support/until.ts";
import { failureOf, partsOf, question } from "../../support/localClient.ts";

const date = new Date(fakeClock().now() + 60_000).toUTCString();

describe("faults: Retry-After", () => {
  leavesNothing();

  /** Statuses and headers with the resulting waits and outcome, for every operation. A limit never moves an image order. */
  each<[status: number, header: string, waits: readonly number[]], string>([
    ["of nothing", 503, "retry-after: 0", [0], "answer 2+0"],
    ["that is short, of a limit", 429, "retry-after: 5", [5_000], "answer 2+0"],
    ["that is short, of a failure", 503, "retry-after: 5", [], "answer 1+1"],
    ["in milliseconds", 529, "retry-after-ms: 250", [250], "answer 2+0"],
    // Half of the first second of the backoff, because the random number is 0.5.
    ["that is invalid", 429, "retry-after: -1", [500], "answer 2+0"],
    ["that is long, as a date", 429, `retry-after: ${date}`, [], "answer 1+1"],
  ]).hold(async (status, header, waits, end) => {
    for (const asked of allAsked) {
      await using bench = await startBench();
      bench.primary.next(failure(status, "x", `${header}\r\n`));
      const isLimited = asked === "image" && status === 429 && end === "answer 1+1";
      const { outcome, error } = await bench.result(asked);
      assert.equal(`${outcome} ${bench.posts}`, isLimited ? "rateLimited 1+0" : end);
      assert.deepEqual(bench.clock.waits, waits);
      if (isLimited) assert.ok((error?.retryAfter ?? 0) >= 60_000);
    }
  });

  it("that Codex names in its error counts, in an answer and in a stream", async () => {
    const error = {
      type: "usage_limit_reached",
      message: "The usage limit has been reached",
      resets_in_seconds: 7_200,
    };
    for (const fault of [sendJson(429, { error }), stream(event({ type: "error", error, status_code: 429 }))]) {
      await using bench = await startBench();
      bench.primary.always(fault);
      assert.equal(`${await bench.outcome()} ${bench.posts}`, "answer 1+1");
      bench.backup.always(fault);
      assert.equal((await bench.result()).error?.retryAfter, 7_200_000);
      assert.deepEqual(bench.clock.waits, []);
    }
  });

  const inSeconds = (seconds: number): Fault => failure(429, "x", `retry-after: ${String(seconds)}\r\n`);

  it("does not use up the repetition after an error 500, unless the other entry can answer", async () => {
    for (const asked of allAsked) {
      for (const hasBackup of [false, true]) {
        await using bench = await startBench(undefined, { hasBackup });
        bench.primary.next(inSeconds(1), failure(500, "x"));
        const isMoved = hasBackup && asked !== "image";
        assert.equal(`${await bench.outcome(asked)} ${bench.posts}`, isMoved ? "answer 2+1" : "answer 3+0");
      }
    }
  });

  it("is the shorter one if both entries are limited", async () => {
    await using bench = await startBench(inSeconds(3_600));
    bench.backup.always(inSeconds(600));
    const { outcome, error } = await bench.result();
    assert.deepEqual([outcome, error?.entry, error?.retryAfter], ["rateLimited", "primary", 600_000]);
    assert.equal(bench.posts, "1+1");
  });

  const outcomeOf = async (gateway: Gateway, more: Partial<ChatRequest>): Promise<string> =>
    await partsOf(gateway.ask(question("Hi", more), new AbortController().signal)).then(
      () => "answer",
      (error: unknown) => describeFailure(error).outcome,
    );

  it("is remembered: no background request is sent as long as it holds", async () => {
    await using bench = await startBench(inSeconds(3_600), { hasBackup: false });
    const start = bench.clock.now();
    for (const sent of ["maybe", "no", "no"]) {
      const error = await failureOf(bench.parts({ isAutomatic: true }));
      assert.deepEqual([error.kind, error.sent], ["rateLimited", sent]);
      assert.equal(error.retryAfter, 3_600_000 - (bench.clock.now() - start));
      bench.clock.advance(60_000);
    }
    assert.equal(bench.primary.posts, 1);
    bench.clock.advance(3_420_000);
    bench.primary.always(right);
    assert.equal(await outcomeOf(bench.gateway, { isAutomatic: true }), "answer");
    assert.equal(bench.primary.posts, 2);
  });

  it("does not prevent an explicit request, and is renewed by its answer", async () => {
    for (const asked of ["chatStream", "image"] as const) {
      await using bench = await startBench(inSeconds(3_600));
      for (const posts of asked === "image" ? ["1+0", "2+0", "3+0"] : ["1+1", "2+1", "3+1"]) {
        const { outcome, error } = await bench.result(asked);
        assert.deepEqual([outcome, error?.retryAfter, error?.sent], ["rateLimited", 3_600_000, "maybe"]);
        assert.deepEqual([bench.posts, bench.clock.waits], [posts, []]);
      }
    }
  });

  it("of another operation is waited for if it is short, and uses up no attempts", async () => {
    await using bench = await startBench(undefined, { hasBackup: false });
    bench.primary.next(inSeconds(5));
    for (const pause of [0, 1_000]) {
      bench.clock.advance(pause);
      assert.equal(await outcomeOf(bench.gateway, { attempts: "one" }), "rateLimited");
    }
    assert.deepEqual([bench.clock.waits, bench.primary.posts], [[], 1]);
    bench.primary.next(inSeconds(1), inSeconds(1));
    assert.equal(await outcomeOf(bench.gateway, {}), "answer");
    assert.deepEqual([bench.clock.waits, bench.primary.posts], [[4_000, 1_000, 1_000], 4]);
  });

  it("is remembered: questions go to the other entry until it is over", async () => {
    await using bench = await startBench();
    bench.primary.next(inSeconds(3_600));
    for (const posts of ["1+1", "1+2", "1+3"]) {
      assert.deepEqual([await bench.outcome(), bench.posts], ["answer", posts]);
    }
    assert.ok(bench.health.every(({ isHealthy }) => isHealthy));
    bench.clock.advance(3_600_000);
    assert.deepEqual([await bench.outcome(), bench.posts], ["answer", "2+3"]);
  });

  it("is for the key and the model, through either API, and not for images, another model or another key", async () => {
    await using bench = await startBench(undefined, { hasBackup: false });
    let key = keys.codex;
    const tuning = { clock: bench.clock };
    const gateway = clientFor(() => bench.settings, tuning, { key: () => Promise.resolve(key) });
    const outcomes = [];
    bench.primary.next(inSeconds(3_600));
    const isAutomatic = true;
    for (const api of ["chatCompletions", "responses"] as const)
      outcomes.push(await outcomeOf(gateway, { api, isAutomatic }));
    outcomes.push((await resultOf(gateway, "image")).outcome);
    for (const more of [{ model: "gpt-5.5" }, {}]) outcomes.push(await outcomeOf(gateway, { ...more, isAutomatic }));
    key = "sk-other";
    outcomes.push(await outcomeOf(gateway, { isAutomatic }));
    assert.deepEqual(outcomes, ["rateLimited", "rateLimited", "answer", "answer", "rateLimited", "answer"]);
    await gateway.dispose();
    bench.primary.forget();
  });

  it("is cleared by a running answer", async () => {
    await using bench = await startBench(undefined, { hasBackup: false });
    const first = holding();
    bench.primary.next(first.fault, inSeconds(3_600));
    const running = bench.outcome();
    await until(() => bench.primary.posts === 1, "the first is asked");
    assert.equal(await outcomeOf(bench.gateway, { isAutomatic: true }), "rateLimited");
    first.release();
    assert.deepEqual([await running, await outcomeOf(bench.gateway, { isAutomatic: true })], ["answer", "answer"]);
  });
});
