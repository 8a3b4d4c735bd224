export interface Discount {
  code: string;
  percent: number;
}

/** The price after all discounts, one after the other. */
export function reduced(price: number, discounts: Discount[]): number {
  return discounts.reduce((left, { percent }) => left * (1 - percent / 100), price);
}
