import assert from "node:assert/strict";
import { readImageInput } from "../../src/images/imageInput.ts";

describe("the input of the image tool", () => {
  it("has a prompt, and a size where one is given", () => {
    assert.deepEqual(readImageInput({ prompt: " a lighthouse ", size: "1024x1536" }), {
      prompt: " a lighthouse ",
      size: "1024x1536",
    });
    for (const size of [undefined, null, ""]) {
      assert.deepEqual(readImageInput({ prompt: "a", size, extra: 1 }), { prompt: "a" });
    }
  });

  for (const input of [undefined, null, "a", 1, {}, { prompt: 1 }, { prompt: " \n" }, { prompt: ["a"] }]) {
    it(`is refused without a prompt: ${JSON.stringify(input)}`, () => {
      assert.throws(() => readImageInput(input), /^Error: No image was made\. .*(prompt|object)/);
    });
  }

  for (const size of [1024, "large", "1x1", "1024X1024", "1024x1024\n", "1024x1024 ", "123456x1", {}]) {
    it(`is refused with a size that is none: ${JSON.stringify(size)}`, () => {
      assert.throws(() => readImageInput({ prompt: "a", size }), /^Error: No image was made\. "size"/);
    });
  }
});
