import assert from "node:assert/strict";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, it } from "mocha";
import { allAsked, type Asked } from "../../support/faults/answers.ts";
import { startBench } from "../../support/faults/bench.ts";
import { chance, oneOf } from "../../support/faults/chance.ts";
import type { Fault } from "../../support/faults/faultServer.ts";
import { leavesNothing } from "../../support/faults/leavesNothing.ts";
import { mixedFaultNames, mixedFaults } from "../../support/faults/mixed.ts";
import { resultOf } from "../../support/faults/scenario.ts";
import { until } from "../../support/gateway/until.ts";

const operations = 5_000;
const atOnce = 50;

/** Bytes that are still in use after a full collection. */
function heapInUse(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc()");
  return process.memoryUsage().heapUsed;
}

/** The operation that a request belongs to; either form of answer will do. */
function askedBy(path: string, random: () => number): Asked {
  if (path.endsWith("/images/generations")) return "image";
  const form = random() < 0.5 ? "Stream" : "Json";
  return path.endsWith("/responses") ? `responses${form}` : `chat${form}`;
}

describe("soak", () => {
  leavesNothing();

  it(`${operations} operations with random faults, ${atOnce} at a time`, async function () {
    this.timeout(120_000);
    const random = chance(2026);
    const unhandled: unknown[] = [];
    const note = (reason: unknown): void => void unhandled.push(reason);
    process.on("unhandledRejection", note);
    const weather: Fault = (exchange) => {
      const name = random() < 0.5 ? "right" : oneOf(mixedFaultNames, random);
      mixedFaults[name].faultFor(askedBy(exchange.request.path, random))(exchange);
    };
    const outcomes = new Map<string, number>();
    const heaps: number[] = [];
    {
      await using bench = await startBench(weather, { limits: { headers: 200, idle: 200, afterFinish: 20 } });
      let started = 0;
      const worker = async (): Promise<void> => {
        while (started < operations) {
          started += 1;
          if (started % 1_000 === 0) {
            bench.checkKeys();
            bench.reports.length = 0;
            heaps.push(heapInUse());
          }
          bench.clock.advance(100);
          const isCancelled = random() < 0.05;
          const signal = isCancelled ? AbortSignal.timeout(Math.ceil(random() * 20)) : undefined;
          const { outcome } = await resultOf(bench.gateway, oneOf(allAsked, random), signal);
          outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        }
      };
      await Promise.all(Array.from({ length: atOnce }, worker));
      await until(() => bench.primary.busy + bench.backup.busy === 0, 5_000, "no connection is in use");
      console.log(
        Object.fromEntries(outcomes),
        bench.reports.length,
        heaps.map((heap) => heap >> 20),
      );
    }
    process.off("unhandledRejection", note);
    assert.deepEqual(unhandled, []);
    const [early = 0, late = 0] = [heaps[0], heaps.at(-1)];
    assert.ok(late - early < 3 << 20, `memory in use: ${heaps.join()}`);
    assert.ok([...outcomes.keys()].every((outcome) => !outcome.startsWith("wrong")));
    assert.ok((outcomes.get("answer") ?? 0) > operations / 2);
  });
});
