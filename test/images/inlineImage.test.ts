import assert from "node:assert/strict";
import { GatewayError } from "../../src/gateway/errors.ts";
import { inlineImage } from "../../src/images/inlineImage.ts";

describe("an image that comes with the answer", () => {
  const cases = [
    ["png", Buffer.from("89504e470d0a1a0a00", "hex")],
    ["jpeg", Buffer.from("ffd8ffe000104a46", "hex")],
    ["webp", Buffer.from("RIFF\n\0\0\0WEBPVP8 ", "latin1")],
  ] as const;
  for (const [type, bytes] of cases) {
    it(`is known by its bytes as ${type}, which stay as they are`, () => {
      assert.deepEqual(inlineImage(bytes), { bytes, type });
    });
  }

  it("is refused when it is something else", () => {
    assert.throws(
      () => inlineImage(Buffer.from("<html>")),
      (error: unknown) => error instanceof GatewayError && error.kind === "notAnImage",
    );
  });
});
