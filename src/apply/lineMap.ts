import { diffLines, type LineChange } from "../text/diffLines.ts";
import type { LineRange } from "../text/lineRange.ts";

/** Where the lines of one text are in another that it has become. */
export class LineMap {
  readonly #from: readonly string[];
  readonly #to: readonly string[];
  readonly #changes: readonly LineChange[];
  #repeated: ReadonlySet<string> | undefined;

  constructor(from: readonly string[], to: readonly string[]) {
    this.#from = from;
    this.#to = to;
    this.#changes = diffLines(from, to);
  }

  /** The change that touches a range. Lines that were added right above or below it do not. */
  changeOf({ start, end }: LineRange): LineChange | undefined {
    for (let at = this.#firstTo(start); at < this.#changes.length; at += 1) {
      const other = this.#changes[at];
      if (!other || other.start > end) return undefined;
      if ((other.start === start && other.end === end) || (other.start < end && start < other.end)) return other;
    }
    return undefined;
  }

  /** Where an untouched range is. Lines that were added right here are above it. */
  placeOf({ start, end }: LineRange): LineRange {
    let next = this.#firstTo(start);
    while (this.#changes[next]?.end === start) next += 1;
    const above = this.#changes[next - 1];
    const moved = above ? above.newEnd - above.end : 0;
    return { start: start + moved, end: end + moved };
  }

  /**
   * Whether a range is still there. Where lines repeat, the difference of two texts may take one for another: so a line of
   * the range is the only one of its kind, or the range is still between its neighbors.
   */
  hasRange(range: LineRange): boolean {
    if (this.changeOf(range)) return false;
    const between = { start: Math.max(0, range.start - 1), end: Math.min(this.#from.length, range.end + 1) };
    return this.isMarked(range) || !this.changeOf(between);
  }

  /** Whether one of the lines of a range is the only one of its kind, before and after. */
  isMarked({ start, end }: LineRange): boolean {
    const repeated = (this.#repeated ??= repeatedIn(this.#from).union(repeatedIn(this.#to)));
    for (let line = start; line < end; line += 1) {
      const text = this.#from[line];
      if (text !== undefined && /\w/.test(text) && !repeated.has(text)) return true;
    }
    return false;
  }

  /** The position of the first change that ends at a line or below. The changes are in order, and do not overlap. */
  #firstTo(line: number): number {
    let [low, high] = [0, this.#changes.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#changes[middle]?.end ?? line) < line) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function repeatedIn(lines: readonly string[]): ReadonlySet<string> {
  const seen = new Set<string>();
  return new Set(lines.filter((line) => seen.size === seen.add(line).size));
}
