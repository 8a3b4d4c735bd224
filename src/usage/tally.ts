import { unionOf } from "./awayTimes.ts";
import { type AwayInterval, noCounts, type UsageCount, usageCounts, type UsageKey, type UsageRow } from "./usageRow.ts";

/** Counts for one key; what is zero may be missing. */
export type PartialRow = UsageKey & Partial<Record<UsageCount, number>>;

/** What a batch or a file adds to the sums. */
export interface Additions {
  readonly rows: readonly PartialRow[];
  readonly away: readonly AwayInterval[];
}

/** A model's name can be any text of a user. Later models of a day with more are counted together. */
const maxModels = 200;
const otherModels = "…";

/** Sums up counts by key. */
export class Tally {
  readonly #rows = new Map<string, Record<UsageCount, number> & UsageKey>();
  readonly #models = new Map<string, Set<string>>();
  readonly #away: AwayInterval[] = [];

  /** Adds counts. Adding what was added before counts it twice, except for times away. */
  add({ rows, away }: Additions): void {
    for (const row of rows) {
      const sum = this.#row(row);
      for (const count of usageCounts) sum[count] += row[count] ?? 0;
    }
    this.#away.push(...away);
  }

  /** The sums, sorted by day. */
  rows(): readonly UsageRow[] {
    return [...this.#rows.values()].sort((one, other) => (one.day < other.day ? -1 : one.day > other.day ? 1 : 0));
  }

  /** The times away, united. */
  away(): readonly AwayInterval[] {
    return unionOf(this.#away);
  }

  #row({ day, model: named, feature, entry }: PartialRow): Record<UsageCount, number> {
    const model = this.#model(day, named);
    const key = `${day} ${feature} ${entry} ${model}`;
    const known = this.#rows.get(key);
    if (known) return known;
    const row = { day, model, feature, entry, ...noCounts };
    this.#rows.set(key, row);
    return row;
  }

  #model(day: string, model: string): string {
    const models = this.#models.get(day) ?? new Set();
    this.#models.set(day, models);
    if (!models.has(model) && models.size >= maxModels) return otherModels;
    models.add(model);
    return model;
  }
}
