import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { RefreshThrottle, TypingPauses } from "../../../src/inline/answer/refreshThrottle.ts";

describe("painting an answer", () => {
  const paints: number[] = [];
  const paint = (): void => {
    paints.push(performance.now());
  };

  beforeEach(() => {
    paints.length = 0;
  });

  it("shows the first piece at once, at most ten paints a second, and what came last", async () => {
    const painter = new RefreshThrottle(paint, new TypingPauses());
    painter.add(1);
    const [first = Infinity] = paints;
    assert.ok(first < performance.now() + 50);
    for (const start = performance.now(); performance.now() < start + 450;) {
      painter.add(1);
      await pause(5);
    }
    const { length } = paints;
    assert.ok(length >= 2 && length <= 5, String(length));
    painter.add(1);
    await until(() => paints.length > length);
  });

  it("paints nothing once it was stopped", async () => {
    const painter = new RefreshThrottle(paint, new TypingPauses());
    painter.add(1);
    painter.add(1);
    painter.stop();
    await pause(250);
    assert.equal(paints.length, 1);
  });

  it("shows only that the answer has begun while the user types, and the rest in the next pause", async () => {
    const typing = new TypingPauses(200);
    const painter = new RefreshThrottle(paint, typing);
    await typed(typing, painter, () => performance.now() < start + 600);
    assert.equal(paints.length, 1);
    await until(() => paints.length === 2);
  });

  it("does not wait forever for a pause", async () => {
    const typing = new TypingPauses(200);
    const painter = new RefreshThrottle(paint, typing, 500);
    await typed(typing, painter, () => paints.length === 1);
    assert.ok(performance.now() - start >= 500);
    painter.stop();
  });

  let start = 0;

  /** Types, while an answer arrives, as long as something is so. */
  async function typed(typing: TypingPauses, painter: RefreshThrottle, isSo: () => boolean): Promise<void> {
    start = performance.now();
    do {
      typing.note();
      painter.add(1);
      await pause(20);
    } while (isSo());
  }
});

async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; !condition() && tries < 200; tries++) await pause(10);
  assert.ok(condition(), String(condition));
}
