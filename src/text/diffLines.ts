/** Old lines and the new lines that replace them. Ends are excluded. */
export interface LineChange {
  readonly start: number;
  readonly end: number;
  readonly newStart: number;
  readonly newEnd: number;
}

/** Maximum number of edits to search for, as time and memory grow with its square. The rest counts as changed. */
const maxEdits = 1_000;

/** The fewest changes that turn `old` into `lines` (Myers, "An O(ND) Difference Algorithm and Its Variations", 1986). */
export function diffLines(old: readonly string[], lines: readonly string[]): readonly LineChange[] {
  const shorter = Math.min(old.length, lines.length);
  let start = 0;
  while (start < shorter && old[start] === lines[start]) start += 1;
  let same = 0;
  while (same < shorter - start && old[old.length - 1 - same] === lines[lines.length - 1 - same]) same += 1;
  // From the end, so that the first of equal lines match: of two in place of one, the second is new.
  const ids = new Map<string, number>();
  const idOf = (line: string): number => {
    const id = ids.get(line) ?? ids.size;
    ids.set(line, id);
    return id;
  };
  const before = Int32Array.from(old.slice(start, old.length - same).reverse(), idOf);
  const after = Int32Array.from(lines.slice(start, lines.length - same).reverse(), idOf);
  const matches = new Int32Array(old.length).fill(-1);
  for (let line = 0; line < start; line += 1) matches[line] = line;
  for (let line = 1; line <= same; line += 1) matches[old.length - line] = lines.length - line;
  for (const [row, column] of matchesOf(before, after)) {
    matches[old.length - same - 1 - row] = lines.length - same - 1 - column;
  }
  return changesOf(matches, lines.length);
}

/** The pairs of equal items on a shortest edit path through both lists. */
function matchesOf(before: Int32Array, after: Int32Array): readonly (readonly [number, number])[] {
  const limit = Math.min(maxEdits, before.length + after.length);
  /** For each diagonal, the farthest row that is reached with so many edits. */
  const reach = new Int32Array(2 * limit + 3);
  const center = limit + 1;
  /** The same after each number of edits. */
  const history: Int32Array[] = [];
  let best = 0;
  for (let edits = 0; edits <= limit; edits += 1) {
    let farthest = -1;
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let row = stepTo(reach, center, diagonal, edits);
      while (row < before.length && row - diagonal < after.length && before[row] === after[row - diagonal]) row += 1;
      reach[center + diagonal] = row;
      const isWithin = row <= before.length && row - diagonal <= after.length;
      if (isWithin && 2 * row - diagonal > farthest) [farthest, best] = [2 * row - diagonal, diagonal];
    }
    history.push(reach.slice(center - edits - 1, center + edits + 2));
    if (farthest === before.length + after.length) break;
  }
  const found: (readonly [number, number])[] = [];
  let diagonal = best;
  for (let edits = history.length - 1; edits >= 0; edits -= 1) {
    const end = history[edits]?.[edits + 1 + diagonal] ?? 0;
    const earlier = history[edits - 1] ?? new Int32Array(3);
    const from = stepTo(earlier, edits, diagonal, edits);
    for (let row = end - 1; row >= from; row -= 1) found.push([row, row - diagonal]);
    diagonal += comesFromAbove(earlier, edits, diagonal, edits) ? 1 : -1;
  }
  return found;
}

/** The row that one more edit reaches on a diagonal. */
function stepTo(reach: Int32Array, center: number, diagonal: number, edits: number): number {
  if (edits === 0) return 0;
  return comesFromAbove(reach, center, diagonal, edits)
    ? (reach[center + diagonal + 1] ?? 0)
    : (reach[center + diagonal - 1] ?? 0) + 1;
}

/** Whether that edit adds an item, and does not remove one. */
function comesFromAbove(reach: Int32Array, center: number, diagonal: number, edits: number): boolean {
  if (diagonal === -edits || diagonal === edits) return diagonal === -edits;
  return (reach[center + diagonal - 1] ?? 0) < (reach[center + diagonal + 1] ?? 0);
}

function changesOf(matches: Int32Array, newLength: number): readonly LineChange[] {
  const changes: LineChange[] = [];
  let [start, newStart] = [0, 0];
  for (let index = 0; index <= matches.length; index += 1) {
    const match = index === matches.length ? newLength : (matches[index] ?? -1);
    if (match < 0) continue;
    if (start < index || newStart < match) changes.push({ start, end: index, newStart, newEnd: match });
    [start, newStart] = [index + 1, match + 1];
  }
  return changes;
}
