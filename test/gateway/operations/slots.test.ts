import assert from "node:assert/strict";
import { setImmediate as turn } from "node:timers/promises";
import { Slots } from "../../../src/gateway/operations/slots.ts";

const { signal } = new AbortController();

describe("slots", () => {
  it("run so many tasks at a time, in the order in which they came", async () => {
    const slots = new Slots(2);
    const started: number[] = [];
    const ends: (() => void)[] = [];
    const tasks = [0, 1, 2, 3].map((task) =>
      slots.run(() => {
        started.push(task);
        return new Promise<void>((resolve) => ends.push(resolve));
      }, signal),
    );
    await turn();
    assert.deepEqual(started, [0, 1]);
    ends[1]?.();
    await turn();
    assert.deepEqual(started, [0, 1, 2]);
    for (const at of [0, 2, 3]) {
      ends[at]?.();
      await turn();
    }
    await Promise.all(tasks);
    assert.deepEqual(started, [0, 1, 2, 3]);
  });

  it("are free for others once a task takes long", async () => {
    const slots = new Slots(1, 10);
    const endless = Promise.withResolvers<string>();
    const first = slots.run(() => endless.promise, signal);
    assert.equal(await slots.run(() => Promise.resolve("second"), signal), "second");
    endless.resolve("first");
    assert.equal(await first, "first");
    assert.equal(await slots.run(() => Promise.resolve("third"), signal), "third");
  });

  it("are free again after a failure, and leave out who has left the line", async () => {
    const slots = new Slots(1);
    const first = Promise.withResolvers<never>();
    const running = slots.run(() => first.promise, signal);
    const leaving = new AbortController();
    const left = slots.run(() => Promise.reject(new Error("It ran.")), leaving.signal);
    const last = slots.run(() => Promise.resolve("last"), signal);
    leaving.abort(new Error("I leave."));
    await assert.rejects(left, /I leave/);
    first.reject(new Error("It failed."));
    await assert.rejects(running, /It failed/);
    assert.equal(await last, "last");
    await assert.rejects(
      slots.run(() => Promise.resolve(1), leaving.signal),
      /I leave/,
    );
    assert.equal(await slots.run(() => Promise.resolve("free"), signal), "free");
  });
});
