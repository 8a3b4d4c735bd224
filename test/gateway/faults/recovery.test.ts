import assert from "node:assert/strict";
import dns from "node:dns";
import { syncBuiltinESMExports } from "node:module";
import type { LookupFunction } from "node:net";
import { ask, type Bench, leavesNothing, startBench } from "../../support/faults/bench.ts";
import { allAsked, bodyOf, broken, close, holding, right } from "../../support/faults/faults.ts";
import type { Fault } from "../../support/faults/faultServer.ts";
import { mixedFaults, processed, quickFaults } from "../../support/faults/mixedFaults.ts";
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

  it("gets its trial back after an unresolved name and a Stop while the backup thinks", async () => {
    let isResolved = true;
    const { lookup } = dns;
    const patched: LookupFunction = (name, { all }, callback) => {
      if (name === "localhost" && !isResolved) callback(Object.assign(new Error("x"), { code: "ENOTFOUND" }), "");
      else if (all) callback(null, [{ address: "127.0.0.1", family: 4 }]);
      else callback(null, "127.0.0.1", 4);
    };
    Object.assign(dns, { lookup: patched });
    syncBuiltinESMExports();
    try {
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
    } finally {
      Object.assign(dns, { lookup });
      syncBuiltinESMExports();
    }
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

const slowFaults = ["silence", "stalls"] as const;

describe("720 random operations", () => {
  leavesNothing();

  it("leave no trial, timer or socket behind, order no image twice, and return to a primary that recovers", async () => {
    const random = chance(42);
    let addresses = "";
    const limits = { headers: 500, idle: 500, silence: 100, silenceWithStandby: 50, silenceAfterCheck: 20 };
    for (let round = 0; round < 24; round += 1) {
      await using bench = await startBench(right, {
        limits: { ...limits, connectWithStandby: 300, connect: 1_000, afterFinish: 10 },
        tuning: { addresses: () => addresses },
      });
      const { primary, backup, clock } = bench;
      /** The prompts of orders that may have been processed. */
      const ordered: string[] = [];
      const storm: Fault = (exchange) => {
        const name = random() < 0.4 ? "right" : oneOf(random() < 0.05 ? slowFaults : quickFaults, random);
        const { prompt } = bodyOf(exchange.request);
        if (typeof prompt === "string" && processed.has(name)) ordered.push(prompt);
        mixedFaults[name](exchange);
      };
      bench.always(storm);
      for (let turn = 0; turn < 6; turn += 1) {
        primary.isAlive = random() < 0.6;
        // The machine sleeps, or changes its network.
        if (random() < 0.3) clock.advance(random() * 900_000);
        if (random() < 0.2) addresses = String(random());
        const some = Array.from({ length: 4 }, () => oneOf(allAsked.slice(0, 4), random));
        const stop = (): AbortSignal =>
          random() < 0.3 ? AbortSignal.timeout(Math.ceil(random() * 60)) : new AbortController().signal;
        const image = bench.gateway.generateImage({ prompt: `A fox, ${turn}` }, stop()).catch(() => undefined);
        const outcomes = await Promise.all(some.map((asked) => bench.outcome(asked, stop())));
        await image;
        assert.ok(
          outcomes.every((outcome) => !outcome.startsWith("wrong")),
          outcomes.join(),
        );
      }
      assert.equal(new Set(ordered).size, ordered.length, "no image is ordered twice");
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
    }
  }).timeout(300_000);
});
