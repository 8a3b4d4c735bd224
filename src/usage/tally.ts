import { dayAfter, dayOf, startOf } from "./localDay.ts";
import {
  type AwayInterval,
  type AwayTime,
  noCounts,
  type UsageCounts,
  usageCounts,
  type UsageKey,
} from "./usageRow.ts";

/** Counts for one key; what is zero may be missing. */
export type PartialRow = UsageKey & Partial<UsageCounts>;

/** What a file adds to the sums. */
export interface Additions {
  readonly rows: readonly PartialRow[];
  readonly away: readonly AwayInterval[];
}

/** Sums of counts by key, and times away. */
export class Tally {
  readonly #rows = new Map<string, { -readonly [Key in keyof UsageCounts]: number } & UsageKey>();
  readonly #away: AwayInterval[] = [];

  /** Adding what was added before counts it twice, except for times away. */
  add({ rows, away }: Additions): void {
    for (const { day, model, feature, entry, ...counts } of rows) {
      const key = `${day} ${feature} ${entry} ${model}`;
      const sum = this.#rows.get(key) ?? { day, model, feature, entry, ...noCounts };
      for (const count of usageCounts) sum[count] += counts[count] ?? 0;
      this.#rows.set(key, sum);
    }
    this.#away.push(...away);
  }

  /** Sorted by day. */
  get rows(): readonly (UsageKey & UsageCounts)[] {
    return [...this.#rows.values()].sort((one, other) => (one.day < other.day ? -1 : one.day > other.day ? 1 : 0));
  }

  /** Several windows see the same entry away at the same time, which counts once: intervals of an entry are united. */
  get away(): readonly AwayInterval[] {
    const united: AwayInterval[] = [];
    for (const next of this.#away.toSorted((one, other) => one.from - other.from)) {
      const index = united.findLastIndex(({ entry }) => entry === next.entry);
      const last = united[index];
      if (last && next.from <= last.to) united[index] = { ...last, to: Math.max(last.to, next.to) };
      else united.push(next);
    }
    return united;
  }
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
