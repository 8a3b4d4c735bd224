import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import { Breaker, type Lease, type Outcome } from "../../../src/gateway/policy/breaker.ts";
import type { EntryHealth, EntryName } from "../../../src/gateway/types.ts";

const both: readonly [{ name: EntryName }, { name: EntryName }] = [{ name: "primary" }, { name: "backup" }];

describe("the breaker", () => {
  it("opens on the third failure in a row of a model, and for that model only", () => {
    const { record, start } = setUp();
    record("serverFault", "serverFault", "whole", "serverFault", "serverFault");
    assert.equal(start("a"), "primary");
    record("serverFault");
    assert.equal(start("a"), "backup");
    assert.equal(start("b"), "primary");
  });

  it("needs three connection faults when the other entry is not healthy either", () => {
    const { breaker, record, start } = setUp();
    breaker.record("backup", "a", "connectionFault");
    record("connectionFault", "connectionFault");
    assert.ok(breaker.isHealthy("primary", "a"));
    record("connectionFault");
    assert.ok(!breaker.isHealthy("primary", "a"));
    assert.equal(start("a"), "primary", "both open: the primary all the same");
  });

  it("stays open for 30 s, doubling while the entry gives no sign of life, and lets a trial pass after 5 min", async () => {
    const { record, time, checks, told, start } = setUp({ isAlive: false });
    record("connectionFault");
    for (const pause of [30, 60, 120, 90]) {
      assert.equal(told.at(-1)?.[0]?.nextTry, time.now + pause * 1_000);
      time.now += pause * 1_000 - 1;
      assert.equal(start("a"), "backup");
      const before = checks.length;
      time.now += 1;
      assert.equal(start("a"), "backup", "nobody waits for the check");
      assert.equal(checks.length, before + 1);
      await setImmediate();
    }
    assert.deepEqual([start("a"), start("a")], ["primary", "backup"]);
    record("connectionFault");
    assert.equal(told.at(-1)?.[0]?.nextTry, time.now + 300_000, "the pause goes on doubling");
  });

  it("reports health when a connection fails and when it works again, and not at each answer", () => {
    const { breaker, record, time, told } = setUp();
    breaker.connected("primary", 20);
    assert.equal(told.length, 0);
    record("connectionFault");
    breaker.connected("primary", 20);
    const failing = { isHealthy: false, failingSince: time.now, nextTry: time.now + 30_000 };
    const healthy = { isHealthy: true, failingSince: undefined, nextTry: undefined };
    const common = { entry: "primary", lastLatency: 20 };
    assert.deepEqual(
      told.map(([primary]) => primary),
      [
        { ...common, ...failing },
        { ...common, ...healthy },
      ],
    );
    breaker.connected("primary", 20);
    assert.equal(told.length, 2);
    // Beside another failing entry, one fault does not make this one unhealthy yet.
    breaker.record("backup", "a", "connectionFault");
    record("connectionFault");
    assert.notEqual(told.at(-1)?.[0]?.failingSince, undefined);
    breaker.connected("primary", 20);
    assert.equal(told.at(-1)?.[0]?.failingSince, undefined);
  });

  it("lets one trial pass after a sign of life, and everyone after its success", async () => {
    const { record, time, checks, start } = setUp();
    record("connectionFault");
    time.now += 30_000;
    assert.deepEqual([start("a"), start("a")], ["backup", "backup"]);
    assert.deepEqual(checks, ["primary"], "one check is enough");
    await setImmediate();
    assert.deepEqual([start("a"), start("a")], ["primary", "backup"]);
    record("whole");
    assert.equal(start("a"), "primary");
    record("connectionFault");
    time.now += 30_000;
    start("a");
    await setImmediate();
    assert.equal(start("a"), "primary", "the pause is 30 s again");
  });

  it("doubles the pause when the trial fails, and offers it again when the trial is cancelled", async () => {
    const { breaker, record, time, start, end } = setUp();
    record("connectionFault");
    time.now += 30_000;
    start("a");
    await setImmediate();
    assert.deepEqual([start("a"), start("a")], ["primary", "backup"]);
    end();
    assert.equal(start("a"), "backup", "the end of another operation gives nothing back");
    end();
    end();
    assert.equal(start("a"), "primary");
    breaker.connected("primary", 12);
    record("connectionFault");
    assert.equal(breaker.health()[0]?.nextTry, time.now + 60_000, "headers alone are no answer");
  });

  it("lets everyone pass once the trial has got headers, except to a model that has failed", async () => {
    const { breaker, record, time, start } = setUp();
    record("serverFault", "serverFault", "serverFault", "connectionFault");
    time.now += 30_000;
    start("a");
    await setImmediate();
    assert.equal(start("a"), "primary");
    breaker.connected("primary", 12);
    assert.deepEqual([start("b"), start("a")], ["primary", "backup"]);
    record("whole");
    assert.equal(start("a"), "primary");
  });

  it("does not change its pauses when the date is set", () => {
    for (const offset of [-3_600_000, 86_400_000]) {
      const { breaker, record, time, checks, start } = setUp();
      record("connectionFault");
      time.offset = offset;
      time.now += 29_999;
      assert.deepEqual([start("a"), checks.length], ["backup", 0]);
      assert.equal(breaker.health()[0]?.nextTry, time.now + offset + 1, "told in the date of now");
      time.now += 1;
      assert.deepEqual([start("a"), checks.length], ["backup", 1]);
    }
  });
});

describe("the health of an entry", () => {
  it("reports the first failure, although requests still go there", () => {
    const { breaker, record, time } = setUp();
    const since = (): unknown => breaker.health()[1]?.failingSince;
    record("connectionFault");
    for (const fault of ["connectionFault", "serverFault"] as const) {
      const start = time.now;
      breaker.record("backup", "a", fault);
      time.now += 5_000;
      breaker.record("backup", "b", fault);
      breaker.record("backup", "b", "nothing");
      assert.deepEqual([breaker.health()[1]?.isHealthy, since()], [true, start], fault);
      breaker.record("backup", "b", "answered");
      breaker.record("backup", "a", "whole");
      assert.equal(since(), undefined, fault);
    }
  });
});

function setUp({ isAlive = true } = {}) {
  const time = { now: 1_000_000, offset: 0 };
  const told: (readonly EntryHealth[])[] = [];
  const checks: EntryName[] = [];
  const breaker = new Breaker({
    clock: { now: () => time.now + time.offset, elapsed: () => time.now },
    isAlive: (entry) => {
      checks.push(entry);
      return Promise.resolve(isAlive);
    },
    onChange: (health) => told.push(health),
  });
  const record = (...outcomes: readonly Outcome[]): void => {
    for (const outcome of outcomes) breaker.record("primary", "a", outcome);
  };
  const leases: Lease<unknown>[] = [];
  /** Starts an operation; `end` ends it. */
  const start = (model: string): EntryName => {
    const lease = breaker.pick(both, model);
    leases.push(lease);
    return lease.entry.name;
  };
  const end = (): void => leases.pop()?.[Symbol.dispose]();
  return { breaker, record, start, end, time, told, checks };
}
