import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { RefreshThrottle } from "../../../src/inline/answer/refreshThrottle.ts";
import { TypingPauses } from "../../../src/inline/answer/refreshThrottle.ts";

describe("painting an answer", () => {
  it("shows the first piece at once and then at most ten paints a second", async () => {
    const paints: number[] = [];
    const painter = new RefreshThrottle(() => paints.push(performance.now()), new TypingPauses());
    const start = performance.now();
    painter.add(1);
    const [first = Infinity] = paints;
    assert.ok(first - start < 50);
    while (performance.now() < start + 450) {
      painter.add(1);
      await pause(5);
    }
    painter.stop();
    assert.ok(paints.length >= 2 && paints.length <= 5, String(paints.length));
  });

  it("shows what came last without waiting for more", async () => {
    let paints = 0;
    const painter = new RefreshThrottle(() => (paints += 1), new TypingPauses());
    painter.add(1);
    painter.add(1);
    await pause(250);
    assert.equal(paints, 2);
  });

  it("paints nothing once it was stopped", async () => {
    let paints = 0;
    const painter = new RefreshThrottle(() => (paints += 1), new TypingPauses());
    painter.add(1);
    painter.add(1);
    painter.stop();
    await pause(250);
    assert.equal(paints, 1);
  });

  it("shows only that the answer has begun while the user types, and the rest in the next pause", async () => {
    const typing = new TypingPauses({ pause: 200, longest: 10_000 });
    let paints = 0;
    const painter = new RefreshThrottle(() => (paints += 1), typing);
    const start = performance.now();
    while (performance.now() < start + 600) {
      typing.note();
      painter.add(1);
      await pause(20);
    }
    assert.equal(paints, 1);
    await until(() => paints === 2);
    typing.note();
    painter.add(1);
    painter.stop();
    await pause(500);
    assert.equal(paints, 2);
  });
});

async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; !condition() && tries < 200; tries++) await pause(10);
  assert.ok(condition(), String(condition));
}

describe("pauses of typing", () => {
  it("are now where nobody types", () => {
    let done = 0;
    const typing = new TypingPauses();
    typing.wait(() => (done += 1));
    assert.equal(done, 1);
  });

  it("are waited for, together, but not forever", async () => {
    const typing = new TypingPauses({ pause: 200, longest: 1_000 });
    const done: string[] = [];
    const start = performance.now();
    typing.note();
    typing.wait(() => done.push("first"));
    typing.wait(() => done.push("second"));
    while (done.length === 0) {
      typing.note();
      await pause(20);
    }
    assert.deepEqual(done, ["first", "second"]);
    assert.ok(performance.now() - start >= 1_000);
    const between = performance.now();
    typing.wait(() => done.push("third"));
    while (done.length === 2) await pause(20);
    assert.ok(performance.now() - between < 900, "the last key was the last");
  });

  it("are not waited for by what was dropped", async () => {
    const typing = new TypingPauses({ pause: 50, longest: 1_000 });
    let done = 0;
    const action = (): number => (done += 1);
    typing.note();
    typing.wait(action);
    typing.drop(action);
    await pause(200);
    assert.equal(done, 0);
  });
});
