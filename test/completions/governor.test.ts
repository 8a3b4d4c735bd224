import assert from "node:assert/strict";
import { Governor } from "../../src/completions/governor.ts";

const minute = 60_000;

function governed(mostPerHour = 100): { readonly governor: Governor; readonly pass: (time: number) => void } {
  let time = 0;
  const governor = new Governor({ mostPerHour, now: () => time });
  return { governor, pass: (passed) => (time += passed) };
}

describe("the governor of completions", () => {
  it("waits longer where answers are slow, and less where they are fast", () => {
    const [slow, fast] = [governed().governor, governed().governor];
    for (let round = 0; round < 20; round += 1) {
      slow.end("answered", 3_000);
      fast.end("answered", 300);
    }
    assert.ok(slow.pause() > fast.pause(), `${slow.pause()} > ${fast.pause()}`);
    assert.ok(slow.pause() <= 800);
  });

  it("waits longer where nothing is accepted, and less where much is", () => {
    const [refused, accepted] = [governed().governor, governed().governor];
    for (let round = 0; round < 20; round += 1) {
      refused.shown(false);
      accepted.shown(true);
    }
    assert.ok(refused.pause() > 300 && accepted.pause() < 300, `${refused.pause()} and ${accepted.pause()}`);
  });

  it("never waits more than 800 ms, or 2 s in a word, and says when it waits so long", () => {
    assert.equal(governed().governor.isSlowed, false);
    for (const latency of [450, 800, 5_000]) {
      const { governor } = governed();
      for (let round = 0; round < 50; round += 1) {
        governor.end("answered", latency);
        governor.shown(false);
      }
      const [usual, inWord] = [governor.pause(), governor.pause(true)];
      assert.ok(usual <= 800 && inWord <= 2_000 && inWord > usual, `${usual} and ${inWord} ms at ${latency} ms`);
      assert.equal(governor.isSlowed, latency >= 800, `${governor.pause()} ms at ${latency} ms`);
    }
  });

  it("waits longer after answers that nobody waited for, and less again when they are shown", () => {
    const { governor } = governed();
    governor.end("answered", 250);
    const before = governor.pause();
    governor.used(false);
    governor.used(false);
    const after = governor.pause();
    assert.ok(after > 2 * before, `${after} > 2 * ${before}`);
    for (let round = 0; round < 40; round += 1) governor.used(true);
    assert.ok(governor.pause() < before);
  });

  it("never waits too long or too briefly, whatever happens", () => {
    const [late, early] = [governed().governor, governed().governor];
    for (let round = 0; round < 1_000; round += 1) {
      late.used(false);
      early.used(true);
    }
    early.end("answered", 10);
    assert.equal(late.pause(), 800);
    assert.equal(early.pause(), 150);
    for (let round = 0; round < 40; round += 1) late.used(true);
    assert.ok(late.pause() < 500, "one bad hour is forgotten");
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
