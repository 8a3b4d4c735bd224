/** Reproducible pseudo-random choices (mulberry32): the same seed gives the same tests everywhere. */
export class Random {
  #state: number;

  constructor(seed: string) {
    this.#state = hashOf(seed);
  }

  /** An integer from 0 up to, but not including, `end`. */
  below(end: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296) * end);
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

/** A 32-bit FNV-1a hash of a string. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash | 0;
}
