import assert from "node:assert/strict";
import { OrderLimit } from "../../src/images/chatImages.ts";

describe("the limit on images ordered by agents", () => {
  const hour = 60 * 60 * 1000;
  let now: number;
  let questions: number;
  let hasWindow: boolean;

  beforeEach(() => {
    [now, questions, hasWindow] = [0, 0, true];
  });

  const ask = (): Promise<boolean> => {
    questions += 1;
    return hasWindow ? Promise.resolve(true) : Promise.reject(new Error("No window."));
  };
  const newLimit = (): OrderLimit => new OrderLimit(() => now, ask);
  const order = (limit: OrderLimit, count: number): Promise<boolean[]> =>
    Promise.all(Array.from({ length: count }, () => limit.allows()));

  it("asks nothing before ten within an hour, then once for all that come together, and again after ten more", async () => {
    const limit = newLimit();
    await order(limit, 9);
    now = hour;
    await order(limit, 10);
    assert.equal(questions, 0);
    now = 3 * hour;
    assert.deepEqual(new Set(await order(limit, 20)), new Set([true]));
    assert.equal(questions, 1);
    await order(limit, 1);
    assert.equal(questions, 2);
  });

  it("lets nothing pass when the user cannot be asked", async () => {
    const limit = newLimit();
    await order(limit, 10);
    hasWindow = false;
    await assert.rejects(limit.allows(), /No window/);
    await assert.rejects(limit.allows(), /No window/);
  });
});
