import { diffLines, type LineChange } from "../text/diffLines.ts";
import type { LineRange } from "../text/lineRange.ts";

/** Maps lines of a text to a newer version of it. */
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

  /** The current position of an untouched range. Lines that were added exactly there count as above it. */
  positionOf({ start, end }: LineRange): LineRange {
    let next = this.#firstTo(start);
    while (this.#changes[next]?.end === start) next += 1;
    const above = this.#changes[next - 1];
    const moved = above ? above.newEnd - above.end : 0;
    return { start: start + moved, end: end + moved };
  }

  /**
   * Whether a range is still in the text. Where lines repeat, a diff may mistake one for another, and a line that was deleted
   * may be typed again elsewhere. So the range needs two unique lines. With only one, the line directly above or below the
   * range must be unchanged as well, and there must be a unique line near it on each side. With none, nothing may have changed
   * between the nearest unchanged unique lines around it.
   */
  hasRange({ start, end }: LineRange): boolean {
    if (this.#isTouched({ start, end })) return false;
    let own = 0;
    for (let line = start; line < end; line += 1) if (this.#isUnique(line)) own += 1;
    if (own > 1) return true;
    const isAnchor = (line: number): boolean => this.#isUnique(line) && (own === 0 || this.#isUnchanged(line));
    const [above, below] = [lineNear(start - 1, -1, isAnchor), lineNear(end, 1, isAnchor)];
    if (above === undefined || below === undefined) return false;
    if (own === 0) return !this.#isTouched({ start: above, end: below + 1 });
    return !this.#isTouched({ start: start - 1, end }) || !this.#isTouched({ start, end: end + 1 });
  }

  /** Whether one of the lines of a range is unique, before and after. */
  hasUniqueLine({ start, end }: LineRange): boolean {
    for (let line = start; line < end; line += 1) if (this.#isUnique(line)) return true;
    return false;
  }

  /** Whether a line occurs once. The positions before the first line and after the last one count as unique. */
  #isUnique(line: number): boolean {
    const text = this.#from[line];
    if (text === undefined) return true;
    this.#repeated ??= repeatedIn(this.#from).union(repeatedIn(this.#to));
    return /\w/.test(text) && !this.#repeated.has(text);
  }

  /** Whether a line is unchanged. The positions before the first line and after the last one count as unchanged. */
  #isUnchanged(line: number): boolean {
    return this.#from[line] === undefined || this.changeOf({ start: line, end: line + 1 }) === undefined;
  }

  /** Whether a range has changed. One that includes an end of the text has also changed where lines were added there. */
  #isTouched({ start, end }: LineRange): boolean {
    const range = { start: Math.max(0, start), end: Math.min(this.#from.length, end) };
    const now = this.positionOf(range);
    const isLonger = (start < 0 && now.start > 0) || (end > range.end && now.end < this.#to.length);
    return isLonger || this.changeOf(range) !== undefined;
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

/** How far from a range to look for lines that confirm its position. */
const searchDistance = 20;

/** The first of the lines from `start` on, up or down, for which something is true. */
function lineNear(start: number, step: 1 | -1, isTrue: (line: number) => boolean): number | undefined {
  return Array.from({ length: searchDistance }, (_, distance) => start + step * distance).find(isTrue);
}

function repeatedIn(lines: readonly string[]): ReadonlySet<string> {
  const seen = new Set<string>();
  return new Set(lines.filter((line) => seen.size === seen.add(line).size));
}
