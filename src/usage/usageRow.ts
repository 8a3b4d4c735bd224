import type { EntryName } from "../gateway/types.ts";
import { dayAfter, dayOf, startOf } from "./localDay.ts";

/** What requests were for. `aiFeature`: those that nobody typed, such as for titles, and those of other extensions. */
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
  /** Requests that were sent, whatever became of them. */
  "requests",
  /** Requests that failed, and requests that were canceled. */
  "failures",
  "cancelled",
  /** Attempts of which nothing was sent, because there was no connection. They are not among the requests. */
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

/** What counts belong to. */
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

/** What a window or a file adds to the sums. Counts that are zero may be missing. */
export interface Additions {
  readonly rows: readonly (UsageKey & Partial<UsageCounts>)[];
  readonly away: readonly AwayInterval[];
}

/** A time in which an entry was away, in milliseconds since the epoch. */
export interface AwayInterval {
  readonly entry: EntryName;
  readonly from: number;
  readonly to: number;
}

/** How long an entry was away on a day, in milliseconds. */
export interface AwayTime {
  readonly day: string;
  readonly entry: EntryName;
  readonly duration: number;
}

/** All that is recorded, of all windows, sorted by day. */
export interface UsageRecord {
  readonly rows: readonly UsageRow[];
  readonly away: readonly AwayTime[];
}

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

/** The sums by key, sorted by day, and when entries were away. */
export function summed(all: readonly Additions[]): { readonly rows: readonly UsageRow[] } & Pick<Additions, "away"> {
  const rows = all.flatMap((additions) => additions.rows);
  const groups = Map.groupBy(rows, ({ day, feature, entry, model }) => `${day} ${feature} ${entry} ${model}`);
  const sums = [...groups.values()].flatMap((same) => same.slice(0, 1).map((one) => ({ ...one, ...sumOf(same) })));
  return {
    rows: sums.sort((one, other) => (one.day < other.day ? -1 : one.day > other.day ? 1 : 0)),
    away: united(all.flatMap(({ away }) => away)),
  };
}

/** Several windows see the same entry away at the same time, which counts once. */
function united(intervals: readonly AwayInterval[]): readonly AwayInterval[] {
  const result: AwayInterval[] = [];
  for (const next of intervals.toSorted((one, other) => one.from - other.from)) {
    const index = result.findLastIndex(({ entry }) => entry === next.entry);
    const last = result[index];
    if (last && next.from <= last.to) result[index] = { ...last, to: Math.max(last.to, next.to) };
    else result.push(next);
  }
  return result;
}

/** How long each entry was away on each day, from united intervals. */
export function awayByDay(intervals: readonly AwayInterval[]): readonly AwayTime[] {
  const times = new Map<string, AwayTime>();
  for (const { entry, from, to } of intervals) {
    for (let start = from; start < to;) {
      const day = dayOf(start);
      const end = Math.min(to, startOf(dayAfter(day, 1)));
      const duration = (times.get(`${day} ${entry}`)?.duration ?? 0) + end - start;
      times.set(`${day} ${entry}`, { day, entry, duration });
      start = end;
    }
  }
  return [...times.values()].sort((one, other) => one.day.localeCompare(other.day));
}
