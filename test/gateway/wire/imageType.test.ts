import assert from "node:assert/strict";
import { imageType } from "../../../src/gateway/wire/imageStructure.ts";
import { samples } from "../../support/gateway/samples.ts";

const png = Buffer.from("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\0IEND\xaeB`\x82", "latin1");

describe("the type of an image", () => {
  const cases = [
    ["PNG", png, "png"],
    ["JPEG", samples.jpeg, "jpeg"],
    ["WebP", samples.webp, "webp"],
    ["a page", Buffer.from("<!DOCTYPE html>"), undefined],
    ["a GIF", Buffer.from("GIF89a"), undefined],
    ["an SVG", Buffer.from("<svg xmlns="), undefined],
    ["a RIFF that is no WebP", Buffer.from("RIFF\x24\0\0\0WAVE", "latin1"), undefined],
    ["half a signature", png.subarray(0, 5), undefined],
    ["nothing", Buffer.alloc(0), undefined],
  ] as const;
  for (const [what, bytes, type] of cases) {
    it(`of ${what} is ${type ?? "unknown"}`, () => {
      assert.equal(imageType(bytes), type);
    });
  }

  it("is told from a view into a larger buffer", () => {
    const larger = Buffer.concat([Buffer.from("xxx"), png]);
    assert.equal(imageType(larger.subarray(3)), "png");
  });
});
