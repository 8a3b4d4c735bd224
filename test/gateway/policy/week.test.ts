import assert from "node:assert/strict";
import { Breaker } from "../../../src/gateway/policy/breaker.ts";
import type { EntryName } from "../../../src/gateway/types.ts";
import { VirtualClock } from "../../support/completions/virtualClock.ts";
import { chance, oneOf } from "../../support/random.ts";

const [second, minute, week] = [1_000, 60_000, 7 * 24 * 3_600_000];
const entries: readonly [{ name: EntryName }, { name: EntryName }] = [{ name: "primary" }, { name: "backup" }];
/** Longest time between two questions, in milliseconds. */
const longestGap = 20 * second;

describe("a week in which the primary fails and recovers 1,000 times, and one question in five is stopped", () => {
  const random = chance(1);
  const clock = new VirtualClock();
  const never = new AbortController().signal;
  let isUp = true;
  /** The fault of a primary that is down. */
  let fault: "connectionFault" | "serverFault" | "silence" = "connectionFault";
  let takesChecks = true;
  /** Time since which the primary is up without a question. */
  let unasked: number | undefined;
  let [longest, asked, failures] = [0, 0, 0];
  const breaker = new Breaker({
    clock,
    isAlive: async () => {
      await clock.sleep(isUp ? 100 : 10 * second, never);
      return isUp && takesChecks;
    },
    onChange: () => undefined,
  });

  /** One operation: an attempt at the leased entry, then at the backup, which thinks. */
  async function ask(): Promise<void> {
    using lease = breaker.pick(entries, "m");
    const isStopped = (): boolean => random() < 0.2;
    if (lease.entry.name === "primary") {
      asked += 1;
      if (unasked !== undefined) longest = Math.max(longest, clock.elapsed() - unasked);
      unasked = undefined;
      if (isUp) {
        await clock.sleep(random() * minute, never);
        if (isStopped()) return;
        breaker.connected("primary", 1);
        await clock.sleep(random() * minute, never);
        if (isStopped()) return;
        breaker.record("primary", "m", "whole");
        return;
      }
      await clock.sleep(fault === "silence" ? 13 * second : 10, never);
      if (isStopped()) return;
      // An unresolved name is recorded late, or never: see `recordUnresolvedNames`.
      if (random() < 0.8) breaker.record("primary", "m", fault === "silence" ? "connectionFault" : fault);
      lease[Symbol.dispose]();
    }
    await clock.sleep(random() * 5 * minute, never);
    if (!isStopped()) breaker.record("backup", "m", "whole");
  }

  it("never leaves a primary that is back unasked for longer than 5 minutes while there are questions", async () => {
    const running: Promise<void>[] = [];
    let nextTurn = 0;
    while (clock.elapsed() < week) {
      if (clock.elapsed() >= nextTurn) {
        isUp = !isUp;
        if (!isUp) failures += 1;
        fault = oneOf(["connectionFault", "serverFault", "silence"] as const, random);
        takesChecks = random() < 0.7;
        unasked = isUp ? clock.elapsed() : undefined;
        nextTurn = clock.elapsed() + (2 * random() * week) / 2_000;
      }
      running.push(ask());
      await clock.moveTo(clock.elapsed() + random() * longestGap);
    }
    assert.ok(failures > 900, `${failures} failures`);
    assert.ok(asked > 10_000, `${asked} questions`);
    // One question starts the check, the next one is the trial. A check takes up to 10 s.
    assert.ok(longest <= 5 * minute + 2 * longestGap + 10 * second, `${longest / 1_000} s`);
    isUp = true;
    takesChecks = true;
    await clock.moveTo(clock.elapsed() + 20 * minute);
    await Promise.all(running);
    // This may start a check, and the next one is the trial.
    breaker.pick(entries, "m")[Symbol.dispose]();
    await clock.moveTo(clock.elapsed() + minute);
    using last = breaker.pick(entries, "m");
    assert.equal(last.entry.name, "primary", "every lease has come back");
  }).timeout(300_000);
});
