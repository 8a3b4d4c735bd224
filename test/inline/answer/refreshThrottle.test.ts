import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { RefreshThrottle, TypingPauses } from "../../../src/inline/answer/refreshThrottle.ts";
import { until } from "../../support/gateway/until.ts";

describe("painting an answer", () => {
  /** When the answer was painted, and how long after the last key. */
  const paints: { readonly at: number; readonly pause: number }[] = [];
  let lastKey = -Infinity;
  const paint = (): void => {
    const at = performance.now();
    paints.push({ at, pause: at - lastKey });
  };

  beforeEach(() => {
    paints.length = 0;
  });

  it("shows the first piece at once, at most ten paints a second, and what came last", async () => {
    const painter = new RefreshThrottle(paint, new TypingPauses());
    painter.add(1);
    assert.equal(paints.length, 1);
    await until(() => {
      painter.add(1);
      return paints.length === 4;
    });
    for (const [index, { at }] of paints.entries()) assert.ok(at - (paints[index - 1]?.at ?? 0) >= 100);
    painter.add(1);
    await until(() => paints.length === 5);
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
    const start = performance.now();
    await typed(typing, painter, () => performance.now() < start + 600);
    await until(() => paints.length >= 2);
    assert.ok(laterInPauses(), JSON.stringify(paints));
  });

  it("does not wait forever for a pause", async () => {
    const typing = new TypingPauses(200);
    const painter = new RefreshThrottle(paint, typing, 500);
    await typed(typing, painter, laterInPauses);
    painter.stop();
  });

  /** Whether all but the first were painted when no key had come for 200 ms. */
  function laterInPauses(): boolean {
    return paints.slice(1).every((later) => later.pause >= 200);
  }

  /** Types, while an answer arrives, as long as something is so. */
  async function typed(typing: TypingPauses, painter: RefreshThrottle, isSo: () => boolean): Promise<void> {
    do {
      lastKey = performance.now();
      typing.note();
      painter.add(1);
      await pause(20);
    } while (isSo());
  }
});
