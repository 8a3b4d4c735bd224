import type { EntryName } from "../gateway/types.ts";

/** The purpose of requests. `aiFeature`: utility requests, such as for titles, and those of other extensions. */
export const usageFeatures = [
  "chat",
  "agent",
  "inline",
  "image",
  "commitMessage",
  "review",
  "completion",
  "aiFeature",
  "connectionTest",
] as const;

export type UsageFeature = (typeof usageFeatures)[number];

/** What is counted. Tokens that the gateway reported and tokens that were estimated are never in the same count. */
export const usageCounts = [
  /** Requests that were sent, whatever their result. */
  "requests",
  /** Requests that failed, and requests that were canceled. */
  "failures",
  "cancelled",
  /** Attempts without a connection, so that nothing was sent. Not among the requests. */
  "unsent",
  "inputTokens",
  /** The part of `inputTokens` that came from a prompt cache. */
  "cachedInputTokens",
  "outputTokens",
  "estimatedInputTokens",
  "estimatedOutputTokens",
  "images",
] as const;

export type UsageCount = (typeof usageCounts)[number];

export type UsageCounts = Readonly<Record<UsageCount, number>>;

/** What a row counts. */
export interface UsageKey {
  /** The local calendar day when it was recorded, as "YYYY-MM-DD". */
  readonly day: string;
  readonly model: string;
  readonly feature: UsageFeature;
  readonly entry: EntryName;
}

/** The counts of one day, model, feature, and entry. */
export type UsageRow = UsageKey & UsageCounts;

/** What one event adds to the counts. */
export type UsageDelta = Omit<UsageKey, "day"> & Partial<UsageCounts>;

/** What a window or a file adds to the counts. Missing counts are zero. */
export type UsageAddition = UsageKey & Partial<UsageCounts>;

export function isUsageFeature(value: unknown): value is UsageFeature {
  return usageFeatures.some((feature) => feature === value);
}

export function isEntryName(value: unknown): value is EntryName {
  return value === "primary" || value === "backup";
}

export function sumOf(rows: Iterable<Partial<UsageCounts>>): UsageCounts {
  const sum = Object.fromEntries(usageCounts.map((count) => [count, 0])) as Record<UsageCount, number>;
  for (const row of rows) for (const count of usageCounts) sum[count] += row[count] ?? 0;
  return sum;
}

export function tokensIn(sum: UsageCounts): number {
  return sum.inputTokens + sum.estimatedInputTokens;
}

export function tokensOut(sum: UsageCounts): number {
  return sum.outputTokens + sum.estimatedOutputTokens;
}

/** One row for each key, sorted by day. */
export function sumByKey(additions: readonly UsageAddition[]): readonly UsageRow[] {
  const sums = new Map<string, UsageKey & Record<UsageCount, number>>();
  for (const one of additions) {
    const key = `${one.day} ${one.feature} ${one.entry} ${one.model}`;
    const sum = sums.get(key);
    if (sum === undefined) sums.set(key, { ...sumOf([]), ...one });
    else for (const count of usageCounts) sum[count] += one[count] ?? 0;
  }
  return [...sums.values()].sort((one, other) => (one.day < other.day ? -1 : one.day > other.day ? 1 : 0));
}
