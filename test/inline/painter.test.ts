import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { Painter } from "../../src/inline/painter.ts";

describe("painting an answer", () => {
  it("shows the first piece at once and then at most ten paints a second", async () => {
    const painted: string[] = [];
    const painter = new Painter((text) => painted.push(text));
    painter.add("a");
    assert.deepEqual(painted, ["a"]);
    const end = performance.now() + 450;
    while (performance.now() < end) {
      painter.add("b");
      await pause(5);
    }
    assert.ok(painted.length >= 2 && painted.length <= 6, String(painted.length));
    painter.stop();
  });

  it("shows what came last without waiting for more", async () => {
    const painted: string[] = [];
    const painter = new Painter((text) => painted.push(text));
    painter.add("a");
    painter.add("b");
    await pause(200);
    assert.deepEqual(painted, ["a", "ab"]);
  });

  it("paints nothing once it was stopped", async () => {
    const painted: string[] = [];
    const painter = new Painter((text) => painted.push(text));
    painter.add("a");
    painter.add("b");
    painter.stop();
    await pause(200);
    assert.deepEqual(painted, ["a"]);
  });
});
