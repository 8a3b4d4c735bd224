import type { EntryName } from "../../gateway/types.ts";
import type { Prices } from "../../settings/prices.ts";
import { type Cost, costOf } from "../cost.ts";
import { sumOf, tokensIn, tokensOut, type UsageCounts, type UsageFeature, type UsageRow } from "../usageRow.ts";
import { daysIn, type Period } from "../localDay.ts";

/** Counts, and their cost, if anything has a price. */
export interface Sum extends UsageCounts {
  readonly cost: Cost | undefined;
}

/** The share of one model, feature, entry, or day. */
export interface Share<Key extends string = string> {
  readonly key: Key;
  readonly sum: Sum;
}

/** The usage of a period. Parts are sorted, largest first; every day of the period is included, by date. */
export interface Summary {
  readonly period: Period;
  readonly total: Sum;
  readonly days: readonly Share[];
  readonly models: readonly Share[];
  readonly features: readonly Share<UsageFeature>[];
  readonly entries: readonly Share<EntryName>[];
  /** Used models without a price for some of their usage. Empty if no prices are set. */
  readonly unpriced: readonly string[];
  /** Models whose cached tokens have no price, so that they count at the input price. */
  readonly cachedAtInputPrice: readonly string[];
}

/** Sums up the usage in a period. */
export function summarize(all: readonly UsageRow[], period: Period, prices: Prices): Summary {
  const rows = all.filter(({ day }) => day >= period.from && day <= period.to);
  const add = (some: readonly UsageRow[] = []): Sum => ({ ...sumOf(some), cost: costOf(some, prices) });
  const total = add(rows);
  const measure = measureOf(total);
  const sharesBy = <Key extends string>(keyOf: (row: UsageRow) => Key): readonly Share<Key>[] =>
    [...Map.groupBy(rows, keyOf)]
      .map(([key, some]) => ({ key, sum: add(some) }))
      .sort(
        (one, other) =>
          amountOf(other.sum, measure) - amountOf(one.sum, measure) || other.sum.requests - one.sum.requests,
      );
  const byDay = Map.groupBy(rows, ({ day }) => day);
  const models = sharesBy(({ model }) => model);
  const unpriced = models.filter(
    ({ sum }) => tokensIn(sum) + tokensOut(sum) + sum.images > 0 && (sum.cost?.isPartial ?? true),
  );
  const cachedAtInputPrice = models.filter(({ key, sum }) => {
    const { input, cachedInput } = prices.models.get(key) ?? {};
    return sum.cachedInputTokens > 0 && input !== undefined && cachedInput === undefined;
  });
  const byEntry = Map.groupBy(rows, ({ entry }) => entry);
  return {
    period,
    total,
    days: daysIn(period).map((key) => ({ key, sum: add(byDay.get(key)) })),
    models,
    features: sharesBy(({ feature }) => feature),
    entries: (["primary", "backup"] as const)
      .filter((name) => byEntry.has(name))
      .map((key) => ({ key, sum: add(byEntry.get(key)) })),
    unpriced: prices.models.size === 0 ? [] : unpriced.map(({ key }) => key),
    cachedAtInputPrice: cachedAtInputPrice.map(({ key }) => key),
  };
}

/** What bars and shares measure: cost if there are prices, otherwise tokens, or requests if there are no tokens. */
export type Measure = "cost" | "tokens" | "requests";

export function measureOf(total: Sum): Measure {
  if ((total.cost?.amount ?? 0) > 0) return "cost";
  return tokensIn(total) + tokensOut(total) > 0 ? "tokens" : "requests";
}

export function amountOf(sum: Sum, measure: Measure): number {
  if (measure === "cost") return sum.cost?.amount ?? 0;
  return measure === "tokens" ? tokensIn(sum) + tokensOut(sum) : sum.requests;
}
