/** Old lines and the new lines that replace them. Ends are excluded. */
export interface LineChange {
  readonly start: number;
  readonly end: number;
  readonly newStart: number;
  readonly newEnd: number;
}

/** Part of both texts that is still to be compared. */
type Region = Readonly<Record<"start" | "end" | "newStart" | "newEnd", number>>;

/** Maximum size of a region, lines times lines, that is compared line by line, and of all of them together. */
const largestTable = 40_000;
const mostCells = 1_000_000;
/** How often, on average, a line may be looked at. Beyond that, what is left counts as changed. */
const mostLooks = 24;

/**
 * The changes that turn `old` into `lines`. Small texts get the fewest changes; large ones are compared around the
 * lines that occur once in both (patience diff), in bounded time.
 */
export function diffLines(old: readonly string[], lines: readonly string[]): readonly LineChange[] {
  const matches = new Int32Array(old.length).fill(-1);
  const regions: Region[] = [{ start: 0, end: old.length, newStart: 0, newEnd: lines.length }];
  let looks = mostLooks * (old.length + lines.length);
  let cells = mostCells;
  for (let region = regions.pop(); region; region = regions.pop()) {
    const inner = matchEnds(old, lines, region, matches);
    const [height, width] = [inner.end - inner.start, inner.newEnd - inner.newStart];
    if (height === 0 || width === 0) continue;
    looks -= height + width;
    if (height * width <= Math.min(largestTable, cells)) {
      cells -= height * width;
      matchAll(old, lines, inner, matches);
    } else if (looks >= 0) {
      const anchors = anchorsOf(old, lines, inner);
      let { start, newStart } = inner;
      for (const [at, newAt] of anchors) {
        matches[at] = newAt;
        regions.push({ start, end: at, newStart, newEnd: newAt });
        [start, newStart] = [at + 1, newAt + 1];
      }
      if (anchors.length > 0) regions.push({ start, end: inner.end, newStart, newEnd: inner.newEnd });
    }
  }
  return changesOf(matches, lines.length);
}

/** Matches equal lines at both ends of a region and returns what is between. */
function matchEnds(old: readonly string[], lines: readonly string[], region: Region, matches: Int32Array): Region {
  let { start, end, newStart, newEnd } = region;
  while (start < end && newStart < newEnd && old[start] === lines[newStart]) {
    matches[start] = newStart;
    start += 1;
    newStart += 1;
  }
  while (start < end && newStart < newEnd && old[end - 1] === lines[newEnd - 1]) {
    end -= 1;
    newEnd -= 1;
    matches[end] = newEnd;
  }
  return { start, end, newStart, newEnd };
}

/** Matches the longest common subsequence of a region. */
function matchAll(
  old: readonly string[],
  lines: readonly string[],
  { start, end, newStart, newEnd }: Region,
  matches: Int32Array,
): void {
  const width = newEnd - newStart + 1;
  const table = new Uint16Array((end - start + 1) * width);
  const at = (row: number, column: number): number => table[(row - start) * width + column - newStart] ?? 0;
  for (let row = end - 1; row >= start; row -= 1) {
    for (let column = newEnd - 1; column >= newStart; column -= 1) {
      table[(row - start) * width + column - newStart] =
        old[row] === lines[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  for (let [row, column] = [start, newStart]; row < end && column < newEnd;) {
    if (old[row] === lines[column]) {
      matches[row] = column;
      row += 1;
      column += 1;
    } else if (at(row + 1, column) >= at(row, column + 1)) row += 1;
    else column += 1;
  }
}

/** The longest ascending sequence of lines that occur once on both sides. */
function anchorsOf(
  old: readonly string[],
  lines: readonly string[],
  { start, end, newStart, newEnd }: Region,
): readonly (readonly [number, number])[] {
  const newPositions = positionsOf(lines, newStart, newEnd);
  const pairs = [...positionsOf(old, start, end)].flatMap(([line, at]): readonly (readonly [number, number])[] => {
    const newAt = newPositions.get(line) ?? -1;
    return at >= 0 && newAt >= 0 ? [[at, newAt]] : [];
  });
  pairs.sort(([one], [other]) => one - other);
  return longestAscending(pairs);
}

/** The position of each line that occurs once; -1 for the others. */
function positionsOf(lines: readonly string[], start: number, end: number): ReadonlyMap<string, number> {
  const positions = new Map<string, number>();
  for (let index = start; index < end; index += 1) {
    const line = lines[index] ?? "";
    positions.set(line, positions.has(line) ? -1 : index);
  }
  return positions;
}

function longestAscending(pairs: readonly (readonly [number, number])[]): readonly (readonly [number, number])[] {
  /** For each length, the pair that ends such a sequence lowest. */
  const tails: number[] = [];
  const previous: number[] = [];
  for (const [index, [, value]] of pairs.entries()) {
    let [low, high] = [0, tails.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[tails[middle] ?? 0]?.[1] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    previous.push(tails[low - 1] ?? -1);
    tails[low] = index;
  }
  const longest: (readonly [number, number])[] = [];
  for (let index = tails.at(-1) ?? -1; index >= 0; index = previous[index] ?? -1) {
    const pair = pairs[index];
    if (pair) longest.push(pair);
  }
  return longest.reverse();
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
