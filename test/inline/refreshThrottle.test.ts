import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { RefreshThrottle } from "../../src/inline/refreshThrottle.ts";

describe("painting an answer", () => {
  it("shows the first piece at once and then at most ten paints a second", async () => {
    const paints: number[] = [];
    const painter = new RefreshThrottle(() => paints.push(performance.now()));
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
    const painter = new RefreshThrottle(() => (paints += 1));
    painter.add(1);
    painter.add(1);
    await pause(250);
    assert.equal(paints, 2);
  });

  it("paints nothing once it was stopped", async () => {
    let paints = 0;
    const painter = new RefreshThrottle(() => (paints += 1));
    painter.add(1);
    painter.add(1);
    painter.stop();
    await pause(250);
    assert.equal(paints, 1);
  });
});
