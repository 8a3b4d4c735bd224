import { diffLines, type LineChange } from "../text/diffLines.ts";
import type { LineRange } from "../text/lineRange.ts";

/** Where the lines of one text are in another that it has become. */
export class LineMap {
  readonly #from: readonly string[];
  readonly #to: readonly string[];
  readonly #changes: readonly LineChange[];

  constructor(from: readonly string[], to: readonly string[]) {
    this.#from = from;
    this.#to = to;
    this.#changes = diffLines(from, to);
  }

  /** The change that touches a range. Lines that were added right above or below it do not. */
  changeOf({ start, end }: LineRange): LineChange | undefined {
    return this.#changes.find(
      (other) => (other.start === start && other.end === end) || (other.start < end && start < other.end),
    );
  }

  /** Where an untouched range is. Lines that were added right here are above it. */
  placeOf({ start, end }: LineRange): LineRange {
    const above = this.#changes.findLast((other) => other.end <= start);
    const moved = above ? above.newEnd - above.end : 0;
    return { start: start + moved, end: end + moved };
  }

  /** Whether a line is still there. */
  has(line: number): boolean {
    return !this.#changes.some(({ start, end }) => start <= line && line < end);
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
    for (let line = start; line < end; line += 1) if (this.#isOnly(line)) return true;
    return false;
  }

  #isOnly(line: number): boolean {
    const text = this.#from[line];
    if (text === undefined || !/\w/.test(text)) return false;
    return [this.#from, this.#to].every((lines) => lines.indexOf(text) === lines.lastIndexOf(text));
  }
}
