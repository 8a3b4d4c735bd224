import assert from "node:assert/strict";
import { OrderBrake } from "../../src/images/chatImages.ts";

describe("the brake on images ordered by agents", () => {
  const hour = 60 * 60 * 1000;
  let now: number;
  let questions: number;
  let answer: boolean | undefined;

  beforeEach(() => {
    [now, questions, answer] = [0, 0, true];
  });

  const newBrake = (): OrderBrake =>
    new OrderBrake(
      () => now,
      () => {
        questions += 1;
        return answer === undefined ? Promise.reject(new Error("No window.")) : Promise.resolve(answer);
      },
    );
  const order = (brake: OrderBrake, count: number): Promise<boolean[]> =>
    Promise.all(Array.from({ length: count }, () => brake.allows()));

  it("asks nothing before ten within an hour", async () => {
    const brake = newBrake();
    await order(brake, 9);
    now = hour;
    await order(brake, 10);
    assert.equal(questions, 0);
  });

  it("asks once for all that come together, and again after ten more", async () => {
    const brake = newBrake();
    assert.deepEqual(new Set(await order(brake, 20)), new Set([true]));
    assert.equal(questions, 1);
    await order(brake, 1);
    assert.equal(questions, 2);
  });

  it("lets nothing pass when the user says no, and asks for the next again", async () => {
    const brake = newBrake();
    answer = false;
    assert.equal((await order(brake, 15)).filter(Boolean).length, 10);
    assert.equal(questions, 1);
    answer = true;
    assert.deepEqual(await order(brake, 1), [true]);
    assert.equal(questions, 2);
  });

  it("lets nothing pass when the user cannot be asked", async () => {
    const brake = newBrake();
    await order(brake, 10);
    answer = undefined;
    await assert.rejects(brake.allows(), /No window/);
    await assert.rejects(brake.allows(), /No window/);
  });
});
