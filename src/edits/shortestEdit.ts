/** A line that both texts have, by its index in each. */
export interface Match {
  readonly old: number;
  readonly new: number;
}

/**
 * The lines that stay when `before` becomes `after` with as few insertions and deletions as possible (Myers, An O(ND)
 * Difference Algorithm, 1986). Returns none if it takes more than `most`.
 */
export function shortestEdit(before: readonly string[], after: readonly string[], most: number): readonly Match[] {
  if (before.length === 0 || after.length === 0) return [];
  const limit = Math.min(most, before.length + after.length);
  /** The furthest old line on each diagonal, for each number of differences. Diagonal `d` is at index `d + limit`. */
  const trace: Int32Array[] = [];
  let reached = new Int32Array(2 * limit + 3);
  for (let differences = 0; differences <= limit; differences += 1) {
    trace.push(reached);
    reached = reached.slice();
    for (let diagonal = -differences; diagonal <= differences; diagonal += 2) {
      const index = diagonal + limit + 1;
      let old = isInsertion(reached, index, diagonal, differences)
        ? at(reached, index + 1)
        : at(reached, index - 1) + 1;
      while (old < before.length && old - diagonal < after.length && before[old] === after[old - diagonal]) old += 1;
      reached[index] = old;
      if (old >= before.length && old - diagonal >= after.length) {
        return walkBack(trace, limit, before.length, after.length);
      }
    }
  }
  return [];
}

function walkBack(trace: readonly Int32Array[], limit: number, oldEnd: number, newEnd: number): readonly Match[] {
  const matches: Match[] = [];
  let [old, next] = [oldEnd, newEnd];
  for (let differences = trace.length - 1; differences >= 0; differences -= 1) {
    const reached = trace[differences] ?? new Int32Array();
    const diagonal = old - next;
    const index = diagonal + limit + 1;
    const inserts = isInsertion(reached, index, diagonal, differences);
    const from = differences === 0 ? 0 : inserts ? at(reached, index + 1) : at(reached, index - 1) + 1;
    for (; old > from && next > 0; old -= 1) {
      next -= 1;
      matches.push({ old: old - 1, new: next });
    }
    if (inserts) next -= 1;
    else old -= 1;
  }
  return matches.reverse();
}

/** Whether the furthest way to a diagonal ends with an insertion, and not with a deletion. */
function isInsertion(reached: Int32Array, index: number, diagonal: number, differences: number): boolean {
  if (diagonal === -differences) return true;
  return diagonal !== differences && at(reached, index - 1) < at(reached, index + 1);
}

function at(reached: Int32Array, index: number): number {
  return reached[index] ?? 0;
}
