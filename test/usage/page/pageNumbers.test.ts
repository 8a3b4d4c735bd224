import assert from "node:assert/strict";
import { pageNumbers } from "../../../src/usage/page/pageNumbers.ts";

describe("the numbers of the usage page", () => {
  it("are short shares, also of a tiny budget", () => {
    const { percent } = pageNumbers("en", "");
    assert.deepEqual([0, 0.004, 0.5, 1.2, 9.99, 349_159].map(percent), ["0%", "0.4%", "50%", "120%", "999%", ">999%"]);
  });
});
