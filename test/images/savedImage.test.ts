import assert from "node:assert/strict";
import { excessiveMegapixels } from "../../src/images/savedImage.ts";
import { assemblePng } from "../support/gateway/png.ts";

describe("the size from which on an image is not shown by itself", () => {
  const megapixels = (width: number, height: number): number | undefined =>
    excessiveMegapixels({ bytes: assemblePng({ width, height, colorType: 2 }, []), type: "png" });

  it("is more than a hundred million pixels", () => {
    assert.equal(megapixels(10_000, 10_000), undefined);
    assert.equal(megapixels(10_001, 10_000), 100.01);
    assert.equal(megapixels(1, 200_000_000), 200);
  });

  it("is told of both sides together, and of the largest there can be", () => {
    assert.equal(megapixels(65_535, 1), undefined);
    assert.equal(megapixels(1_000_000, 1_000_000), 1_000_000);
  });

  it("is not told of a file whose size cannot be read", () => {
    assert.equal(excessiveMegapixels({ bytes: new Uint8Array(10), type: "png" }), undefined);
  });
});
