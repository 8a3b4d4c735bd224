import assert from "node:assert/strict";
import { orderLimit, readImageInput } from "../../src/images/chatImages.ts";
import { each } from "../support/each.ts";

type Limit = ReturnType<typeof orderLimit>;

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
  const newLimit = (): Limit => orderLimit(() => now, ask);
  const order = (limit: Limit, count: number): Promise<boolean[]> =>
    Promise.all(Array.from({ length: count }, () => limit()));

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
    await assert.rejects(limit(), /No window/);
    await assert.rejects(limit(), /No window/);
  });
});

describe("the input of the image tool", () => {
  it("has a prompt, and a size where one is given", () => {
    const input = { prompt: " a lighthouse ", size: "1024x1536" };
    assert.deepEqual(readImageInput(input), input);
    for (const size of [undefined, null, ""])
      assert.deepEqual(readImageInput({ prompt: "a", size, extra: 1 }), { prompt: "a" });
  });

  const sizes = [1024, "large", "1x1", "1024X1024", "1024x1024\n", "1024x1024 ", "123456x1", "01024x1024", {}];
  each<[readonly unknown[]], RegExp>([
    ["is refused where it is none", [undefined, null, "a", 1], /^Error: No image was made\. .*object/],
    ["is refused without a prompt", [{}, { prompt: 1 }, { prompt: " \n" }, { prompt: ["a"] }], /made\. .*prompt/],
    ["is refused with a size that is none", sizes.map((size) => ({ prompt: "a", size })), /made\. "size"/],
  ]).hold((inputs, message) => {
    for (const input of inputs) assert.throws(() => readImageInput(input), message, JSON.stringify(input));
  });
});
