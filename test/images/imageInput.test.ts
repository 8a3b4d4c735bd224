import assert from "node:assert/strict";
import { readImageInput } from "../../src/images/imageInput.ts";
import { each } from "../support/each.ts";

describe("the input of the image tool", () => {
  it("has a prompt, and a size where one is given", () => {
    const input = { prompt: " a lighthouse ", size: "1024x1536" };
    assert.deepEqual(readImageInput(input), input);
    for (const size of [undefined, null, ""])
      assert.deepEqual(readImageInput({ prompt: "a", size, extra: 1 }), { prompt: "a" });
  });

  const sizes = [1024, "large", "1x1", "1024X1024", "1024x1024\n", "1024x1024 ", "123456x1", {}];
  each<[readonly unknown[]], RegExp>([
    ["is refused where it is none", [undefined, null, "a", 1], /^Error: No image was made\. .*object/],
    ["is refused without a prompt", [{}, { prompt: 1 }, { prompt: " \n" }, { prompt: ["a"] }], /made\. .*prompt/],
    ["is refused with a size that is none", sizes.map((size) => ({ prompt: "a", size })), /made\. "size"/],
  ]).hold((inputs, message) => {
    for (const input of inputs) assert.throws(() => readImageInput(input), message, JSON.stringify(input));
  });
});
