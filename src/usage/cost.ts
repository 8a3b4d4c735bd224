import type { ModelPrice, Prices } from "../settings/prices.ts";
import type { UsageCounts, UsageKey } from "./usageRow.ts";

/** An amount in the currency of the prices. */
export interface Cost {
  readonly amount: number;
  /** Whether something without a price was used, which is not in the amount. */
  readonly isPartial: boolean;
  readonly isEstimated: boolean;
}

const million = 1_000_000;

/** The cost of rows; `undefined` if nothing that they used has a price. */
export function costOf(rows: Iterable<UsageCounts & Pick<UsageKey, "model">>, { models }: Prices): Cost | undefined {
  if (models.size === 0) return undefined;
  const parts = [...rows].flatMap((row) => chargeableUses(row, models.get(row.model) ?? {}));
  const priced = parts.filter(({ price }) => price !== undefined);
  if (priced.length === 0) return undefined;
  return {
    amount: priced.reduce((sum, { used, price = 0 }) => sum + used * price, 0),
    isPartial: priced.length < parts.length,
    isEstimated: priced.some(({ isEstimated }) => isEstimated),
  };
}

/** What a row used that needs a price. A price per image also covers tokens without a price, and vice versa. */
function chargeableUses(row: UsageCounts, { input, cachedInput, output, image }: ModelPrice) {
  const hasTokenPrice = [input, cachedInput, output].some((price) => price !== undefined);
  const tokens = (price: number | undefined, counted: number, estimated: number) => ({
    used: (counted + estimated) / million,
    price,
    isCovered: !hasTokenPrice && image !== undefined,
    isEstimated: estimated > 0,
  });
  return [
    tokens(input, row.inputTokens - row.cachedInputTokens, row.estimatedInputTokens),
    tokens(cachedInput ?? input, row.cachedInputTokens, 0),
    tokens(output, row.outputTokens, row.estimatedOutputTokens),
    { used: row.images, price: image, isCovered: hasTokenPrice && image === undefined, isEstimated: false },
  ].filter(({ used, isCovered }) => used > 0 && !isCovered);
}
