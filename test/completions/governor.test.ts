import assert from "node:assert/strict";
import { Governor } from "../../src/completions/governor.ts";
import { each } from "../support/each.ts";

const minute = 60_000;

function governed(mostPerHour = 100): { readonly governor: Governor; readonly pass: (time: number) => void } {
  let time = 0;
  const governor = new Governor({ maxPerHour: mostPerHour, now: () => time });
  return { governor, pass: (passed) => (time += passed) };
}

describe("the governor of completions", () => {
  each<[rounds: number, { latency?: number; isAccepted?: boolean; isUsed?: boolean }], readonly [number, number]>([
    ["waits longer where answers are slow", 20, { latency: 3_000 }, [800, 800]],
    ["waits less where answers are fast", 20, { latency: 10 }, [150, 150]],
    ["waits longer where nothing is accepted", 20, { isAccepted: false }, [301, 800]],
    ["waits longer after answers that nobody waited for", 2, { isUsed: false }, [601, 800]],
    ["waits less where answers are shown", 1_000, { isUsed: true }, [150, 299]],
  ]).hold((rounds, { latency, isAccepted, isUsed }, [least, most]) => {
    const { governor } = governed();
    for (let round = 0; round < rounds; round += 1) {
      if (latency !== undefined) governor.end("answered", latency);
      if (isAccepted !== undefined) governor.shown(isAccepted);
      if (isUsed !== undefined) governor.used(isUsed);
    }
    assert.ok(governor.pause() >= least && governor.pause() <= most, `${governor.pause()} ms`);
    assert.ok(governor.pause(true) <= 2_000 && governor.pause(true) > governor.pause());
    assert.equal(governor.isSlowed, governor.pause() === 800);
  });

  it("forgets one bad hour", () => {
    const { governor } = governed();
    for (let round = 0; round < 1_000; round += 1) governor.used(false);
    for (let round = 0; round < 40; round += 1) governor.used(true);
    assert.ok(governor.pause() < 500);
  });

  it("allows a set number of requests in an hour", () => {
    const { governor, pass } = governed(2);
    governor.start();
    pass(10 * minute);
    governor.start();
    assert.equal(governor.denial, "hour");
    assert.equal(governor.deniedUntil, 60 * minute);
    pass(50 * minute);
    assert.equal(governor.denial, undefined);
  });

  it("stops for a while after three failures in a row, of which an aborted request is none", () => {
    const { governor, pass } = governed();
    governor.end("failed");
    governor.end("answered", 300);
    governor.end("failed");
    governor.end("failed");
    governor.end("aborted");
    assert.equal(governor.denial, undefined);
    governor.end("failed");
    assert.equal(governor.denial, "limited");
    pass(61_000);
    assert.equal(governor.denial, undefined);
  });

  it("makes at most two requests a minute in a storm of limits, and soon fewer", () => {
    const { governor, pass } = governed();
    const starts: number[] = [];
    for (let second = 0; second < 3_600; second += 1) {
      if (governor.denial === undefined) {
        starts.push(second);
        governor.start();
        governor.end("limited");
      }
      pass(1_000);
    }
    for (const start of starts) assert.ok(starts.filter((one) => one >= start && one < start + 60).length <= 2);
    assert.ok(starts.length <= 10, `${starts.length} in an hour`);
  });

  it("keeps to the time that the gateway asks for", () => {
    const { governor, pass } = governed();
    governor.end("limited", undefined, 5 * minute);
    pass(4 * minute);
    assert.equal(governor.denial, "limited");
    pass(minute);
    assert.equal(governor.denial, undefined);
  });

  it("starts with a short wait again after an answer", () => {
    const { governor, pass } = governed();
    for (let round = 0; round < 3; round += 1) {
      governor.end("limited");
      pass(15 * minute);
    }
    governor.end("answered", 500);
    governor.end("limited");
    pass(60_000);
    assert.equal(governor.denial, undefined);
  });

  it("stays off after a refused key or model until that changes", () => {
    const { governor, pass } = governed();
    governor.end("refused");
    pass(24 * 60 * minute);
    assert.equal(governor.denial, "refused");
    assert.equal(governor.deniedUntil, undefined);
    governor.reset();
    assert.equal(governor.denial, undefined);
  });
});
