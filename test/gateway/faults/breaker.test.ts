import assert from "node:assert/strict";
import { allAsked, right } from "../../support/faults/answers.ts";
import { type Bench, startBench } from "../../support/faults/bench.ts";
import { broken, close, failure } from "../../support/faults/faults.ts";
import type { Fault } from "../../support/faults/faultServer.ts";
import { leavesNothing } from "../../support/faults/leavesNothing.ts";
import { resultOf } from "../../support/faults/scenario.ts";
import { until } from "../../support/gateway/until.ts";

const healthy = right("chatJson");

/** Asks once; the answer must come. Returns how many orders each entry has got so far. */
async function askOnce({ gateway, primary, backup }: Bench): Promise<string> {
  assert.equal((await resultOf(gateway, "chatJson")).outcome, "answer");
  return `${primary.posts}+${backup.posts}`;
}

/** A bench whose primary has just failed so that its breaker is open. */
async function startOpen(fault: Fault): Promise<Bench> {
  const bench = await startBench(healthy, { limits: { connect: 500, connectWithStandby: 500 } });
  bench.primary.always(fault);
  await askOnce(bench);
  return bench;
}

function pauseOf({ health, clock }: Bench): number | undefined {
  const next = health[0]?.nextTry;
  return next === undefined ? undefined : next - clock.now();
}

/** Lets the pause pass and an operation begin, which has the primary checked in the background. */
async function passPause(bench: Bench): Promise<void> {
  bench.clock.advance(pauseOf(bench) ?? 0);
  const { probes } = bench.primary;
  await askOnce(bench);
  await until(() => bench.primary.probes > probes && bench.primary.busy === 0, 2_000, "a sign of life");
}

describe("the breaker, end to end", () => {
  leavesNothing();

  it("opens at one lost connection: from then on the backup is asked at once", async () => {
    await using bench = await startOpen(close);
    assert.equal(`${bench.primary.posts}+${bench.backup.posts}`, "2+1");
    assert.equal(await askOnce(bench), "2+2");
    assert.equal(await askOnce(bench), "2+3");
    const [primary, backup] = bench.health;
    assert.deepEqual([primary?.isHealthy, primary?.failingSince, pauseOf(bench)], [false, bench.clock.now(), 30_000]);
    assert.equal(backup?.isHealthy, true);
  });

  for (const how of ["reset", "close"] as const) {
    it(`opens when an answer breaks off by a ${how}, so that the next question does not wait for a dead entry`, async () => {
      await using bench = await startBench(right("chatStream"));
      bench.primary.always(broken("chatStream", { framing: "chunked", after: 1, how }));
      assert.equal((await resultOf(bench.gateway, "chatStream")).outcome, "interrupted");
      assert.equal(bench.health[0]?.isHealthy, false);
      assert.equal((await resultOf(bench.gateway, "chatStream")).outcome, "answer");
      assert.deepEqual([bench.primary.posts, bench.backup.posts], [1, 1]);
    });
  }

  it("asks for a sign of life without a key, then lets one operation try", async () => {
    await using bench = await startOpen(close);
    bench.clock.advance(29_999);
    assert.equal(await askOnce(bench), "2+2");
    assert.equal(bench.primary.probes, 0);
    bench.primary.always(healthy);
    await passPause(bench);
    const probe = bench.primary.requests.find(({ method }) => method === "HEAD");
    assert.doesNotMatch(probe?.head ?? "", /authorization|sk-/i);
    assert.deepEqual([bench.primary.posts, bench.primary.probes], [2, 1]);
    assert.equal(await askOnce(bench), "3+3");
    assert.ok(bench.health.every(({ isHealthy }) => isHealthy));
    assert.equal(await askOnce(bench), "4+3");
  });

  it("never counts an error of the request, a limit or a cancel", async () => {
    for (const fault of [failure(401, "x"), failure(404, "x"), failure(418, "x"), failure(429, "x")]) {
      await using bench = await startBench(fault);
      for (const asked of allAsked) await resultOf(bench.gateway, asked);
      assert.ok(bench.health.every(({ isHealthy }) => isHealthy));
      assert.equal(bench.backup.posts, 0);
    }
  });
});
