import assert from "node:assert/strict";
import { type Bench, leavesNothing, startBench } from "../support/bench.ts";
import { allAsked, broken, close, failure, right } from "../support/faults.ts";
import { until } from "../../support/until.ts";

/** Asks once; the answer must come. Returns the number of posts to each entry so far. */
async function askOnce(bench: Bench): Promise<string> {
  assert.equal(await bench.outcome(), "answer");
  return bench.posts;
}

describe("the breaker, end to end", () => {
  leavesNothing();

  it("opens at one lost connection, asks for a sign of life, then lets one operation try", async () => {
    await using bench = await startBench();
    const { primary, clock } = bench;
    primary.always(close);
    for (const posts of ["2+1", "2+2", "2+3"]) assert.equal(await askOnce(bench), posts);
    const [failing, backup] = bench.health;
    const opened = clock.now();
    const times = [failing?.isHealthy, failing?.failingSince, failing?.nextTry];
    assert.deepEqual([...times, backup?.isHealthy], [false, opened, opened + 30_000, true]);
    clock.advance(29_999);
    assert.equal(await askOnce(bench), "2+4");
    assert.equal(primary.probes, 0);
    primary.always(right);
    clock.advance(1);
    assert.equal(await askOnce(bench), "2+5", "the check is made in the background");
    await until(() => primary.probes === 1 && primary.busy === 0, "a sign of life");
    for (const posts of ["3+5", "4+5"]) assert.equal(await askOnce(bench), posts);
    assert.ok(bench.health.every(({ isHealthy }) => isHealthy));
  });

  for (const how of ["reset", "close"] as const) {
    it(`opens when an answer breaks off by a ${how}, so that the next question does not wait for a dead entry`, async () => {
      await using bench = await startBench();
      bench.primary.always(broken({ after: 1, how }));
      assert.equal(await bench.outcome(), "interrupted");
      assert.equal(bench.health[0]?.isHealthy, false);
      assert.equal(await askOnce(bench), "1+1");
    });
  }

  it("never counts an error of the request, a limit or a cancel", async () => {
    for (const fault of [failure(401, "x"), failure(404, "x"), failure(418, "x"), failure(429, "x")]) {
      await using bench = await startBench(fault);
      for (const asked of allAsked) await bench.outcome(asked);
      assert.ok(bench.health.every(({ isHealthy }) => isHealthy));
      assert.equal(bench.backup.posts, 0);
    }
  });
});
