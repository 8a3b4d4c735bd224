import { dayAfter, dayOf, startOf } from "./localDay.ts";
import {
  type AwayInterval,
  type AwayTime,
  noCounts,
  type UsageCount,
  usageCounts,
  type UsageKey,
  type UsageRow,
} from "./usageRow.ts";

/** Counts for one key; what is zero may be missing. */
export type PartialRow = UsageKey & Partial<Record<UsageCount, number>>;

/** Maximum length of a model's name. */
export const maxModelName = 200;

/** What a file adds to the sums. */
export interface Additions {
  readonly rows: readonly PartialRow[];
  readonly away: readonly AwayInterval[];
}

/** Sums up counts by key. */
export class Tally {
  readonly #rows = new Map<string, Record<UsageCount, number> & UsageKey>();
  readonly #away: AwayInterval[] = [];

  /** Adds counts. Adding what was added before counts it twice, except for times away. */
  add({ rows, away }: Additions): void {
    for (const row of rows) {
      const sum = this.#row(row);
      for (const count of usageCounts) sum[count] += row[count] ?? 0;
    }
    this.#away.push(...away);
  }

  /** The sums, as a file has them. */
  sums(): Additions {
    return { rows: this.rows(), away: this.away() };
  }

  /** The sums, sorted by day. */
  rows(): readonly UsageRow[] {
    return [...this.#rows.values()].sort((one, other) => (one.day < other.day ? -1 : one.day > other.day ? 1 : 0));
  }

  /** The times away, united. */
  away(): readonly AwayInterval[] {
    return unionOf(this.#away);
  }

  #row({ day, model, feature, entry }: PartialRow): Record<UsageCount, number> {
    const key = `${day} ${feature} ${entry} ${model}`;
    const known = this.#rows.get(key);
    if (known) return known;
    const row = { day, model, feature, entry, ...noCounts };
    this.#rows.set(key, row);
    return row;
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

/** Several windows see the same entry away at the same time, which counts once: intervals of an entry are united. */
function unionOf(intervals: readonly AwayInterval[]): readonly AwayInterval[] {
  const united: { entry: AwayInterval["entry"]; from: number; to: number }[] = [];
  const last = new Map<string, (typeof united)[number]>();
  for (const next of intervals.toSorted((one, other) => one.from - other.from)) {
    const known = last.get(next.entry);
    if (known && next.from <= known.to) {
      known.to = Math.max(known.to, next.to);
      continue;
    }
    const interval = { ...next };
    last.set(next.entry, interval);
    united.push(interval);
  }
  return united;
}
