/** The positions in a list where a non-empty run of items starts. Linear time (Knuth-Morris-Pratt). */
export function* findSequence<T>(items: readonly T[], run: readonly T[]): Iterable<number> {
  const borders = bordersOf(run);
  let matched = 0;
  for (const [index, item] of items.entries()) {
    while (matched > 0 && run[matched] !== item) matched = borders[matched - 1] ?? 0;
    if (run[matched] === item) matched += 1;
    if (matched < run.length) continue;
    yield index + 1 - run.length;
    matched = borders[matched - 1] ?? 0;
  }
}

/** The number of items in the longest run that ends the first list and begins the second one. */
export function overlapOf(before: readonly unknown[], after: readonly unknown[]): number {
  const separator = {};
  return after.length === 0 ? 0 : (bordersOf([...after, separator, ...before.slice(-after.length)]).at(-1) ?? 0);
}

/** For each prefix, the length of its longest proper prefix that is also its suffix. */
function bordersOf(run: readonly unknown[]): readonly number[] {
  const borders = [0];
  let length = 0;
  for (let index = 1; index < run.length; index += 1) {
    while (length > 0 && run[index] !== run[length]) length = borders[length - 1] ?? 0;
    if (run[index] === run[length]) length += 1;
    borders.push(length);
  }
  return borders;
}
