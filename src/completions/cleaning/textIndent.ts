/** The indentation of the lines of a comment or of a string. */
export class TextIndent {
  readonly #until: string;
  /** The indentation of the line that it starts on, the line before, and the least of all. */
  readonly #start: number;
  #last: number | undefined;
  #least: number;

  /** `until` ends the text. */
  constructor(until: string, start: number, last?: number, least = start) {
    this.#until = until;
    this.#start = start;
    this.#last = last;
    this.#least = least;
  }

  fork(): TextIndent {
    return new TextIndent(this.#until, this.#start, this.#last, this.#least);
  }

  /** The indentation that a line should have; `undefined` if that is not known. */
  expected(line: string): number | undefined {
    if (this.#until === "*/" && line.startsWith("*")) return this.#start + 1;
    return this.#until.length === 3 && !line.startsWith(this.#until) ? this.#last : undefined;
  }

  /** Adds a line, and says whether it looks odd: deeper than the one before without being an item of a list. */
  add(line: string, indent: number): boolean {
    const expected = this.expected(line);
    const isStar = this.#until === "*/" && line.startsWith("*");
    const isDeeper = indent > (expected ?? indent) && !/^(?:[-*+>.]|\d|[a-z]\))/.test(line);
    const isOdd = isStar ? indent !== expected : isDeeper || indent < this.#least;
    this.#last = indent;
    this.#least = Math.min(this.#least, indent);
    return isOdd;
  }
}
