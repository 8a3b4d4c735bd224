import type { LineRange } from "./lines.ts";

/** Where two texts differ: these lines before became those lines after. */
export interface Change {
  readonly before: LineRange;
  readonly after: LineRange;
}

/** The smallest run of lines whose replacement makes `before` into `after`; empty ranges where they are the same. */
export function changeBetween(before: readonly string[], after: readonly string[]): Change {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let same = 0;
  while (same < shorter - start && before.at(-1 - same) === after.at(-1 - same)) same += 1;
  return { before: { start, end: before.length - same }, after: { start, end: after.length - same } };
}
