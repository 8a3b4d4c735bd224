import { type Discount, reduced } from "./discounts.ts";

export interface Item {
  name: string;
  price: number;
  quantity: number;
}

/** What the customer pays, in euros. */
export function total(items: Item[], discounts: Discount[]): number {
  let sum = 0;
  for (const { price, quantity } of items) {
    const each = reduced(price, discounts);
    sum += (Math.round(each * 100) / 100) * quantity;
  }
  return sum;
}
