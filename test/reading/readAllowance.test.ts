import assert from "node:assert/strict";
import { ReadAllowance } from "../../src/reading/readAllowance.ts";

describe("what is read for one prompt", () => {
  it("is at most 200 files", () => {
    const allowance = new ReadAllowance();
    assert.equal(Array.from({ length: 300 }, () => allowance.take(1)).filter(Boolean).length, 200);
  });

  it("is at most 8 MB in all, whatever single files are left out", () => {
    const allowance = new ReadAllowance();
    const sizes = [5_000_000, 5_000_000, 2_000_000, 1_000_001, 1_000_000];
    const taken = sizes.filter((size) => allowance.take(size));
    assert.deepEqual(taken, [5_000_000, 2_000_000, 1_000_000]);
  });
});
