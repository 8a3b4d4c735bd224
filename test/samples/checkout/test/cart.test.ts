import assert from "node:assert/strict";
import { test } from "node:test";
import { total } from "../src/cart.ts";

test("a discount counts for each item", () => {
  const items = [{ name: "Mug", price: 10, quantity: 2 }];
  assert.equal(total(items, [{ code: "FALL", percent: 10 }]), 18);
});
