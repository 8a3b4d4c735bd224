import type { LineRange } from "./lines.ts";

/** A difference between two texts: the lines before, and the lines that replace them. */
export interface Change {
  readonly before: LineRange;
  readonly after: LineRange;
}

/** The smallest range whose replacement turns `before` into `after`; empty if they are equal. */
export function changeBetween(before: readonly string[], after: readonly string[]): Change {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let same = 0;
  while (same < shorter - start && before.at(-1 - same) === after.at(-1 - same)) same += 1;
  return { before: { start, end: before.length - same }, after: { start, end: after.length - same } };
}
