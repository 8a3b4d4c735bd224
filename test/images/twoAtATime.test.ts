import assert from "node:assert/strict";
import { setImmediate as turn } from "node:timers/promises";
import { twoAtATime } from "../../src/images/twoAtATime.ts";

describe("work on two items at a time", () => {
  it("keeps two going, never three, and the order of the items", async () => {
    let running = 0;
    const seen = new Set<number>();
    const results = await twoAtATime([5, 1, 4, 1, 3], async (turns) => {
      seen.add((running += 1));
      for (let left = turns; left > 0; left -= 1) await turn();
      running -= 1;
      return turns * 10;
    });
    assert.deepEqual(results, [50, 10, 40, 10, 30]);
    assert.deepEqual([...seen], [1, 2]);
  });

  it("gives nothing for nothing", async () => {
    assert.deepEqual(await twoAtATime([], () => Promise.reject(new Error("not called"))), []);
  });

  it("fails with the item that fails", async () => {
    await assert.rejects(
      twoAtATime([1, 2, 3], (item) => (item === 2 ? Promise.reject(new Error("two")) : Promise.resolve(item))),
      /two/,
    );
  });
});
