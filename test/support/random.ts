/** A reproducible generator of numbers in [0, 1): mulberry32. */
export function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A random element of a list. */
export function oneOf<T>(list: readonly T[], random: () => number): T {
  const found = list[Math.floor(random() * list.length)];
  if (found === undefined) throw new RangeError("An empty list has no element.");
  return found;
}

/** A number for a text, the same in each run: FNV-1a. */
export function seedOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}
