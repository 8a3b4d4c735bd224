import { chance, seedOf } from "../faults/chance.ts";

/** Reproducible pseudo-random choices: the same seed gives the same tests everywhere. */
export class Random {
  readonly #next: () => number;

  constructor(seed: string) {
    this.#next = chance(seedOf(seed));
  }

  /** An integer from 0 up to, but not including, `end`. */
  below(end: number): number {
    return Math.floor(this.#next() * end);
  }

  /** Whether something happens that has this chance, from 0 to 1. */
  chance(probability: number): boolean {
    return this.below(10_000) < probability * 10_000;
  }

  /** One of the items. */
  pick<T>(items: readonly [T, ...T[]]): T;
  pick<T>(items: readonly T[]): T | undefined;
  pick<T>(items: readonly T[]): T | undefined {
    return items[this.below(items.length)];
  }

  /** The items in another order. */
  shuffle<T>(items: readonly T[]): readonly T[] {
    const keyed = items.map((item) => ({ item, key: this.below(2 ** 30) }));
    return keyed.sort((one, other) => one.key - other.key).map(({ item }) => item);
  }
}
