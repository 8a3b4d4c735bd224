import { Levels } from "./levels.ts";
import { isCloser, type Nesting } from "./nesting.ts";
import type { Syntax } from "./syntax.ts";

/** How lines of code are indented: by what is open, and by levels where the language has them. */
export class Layout {
  readonly #syntax: Syntax;
  readonly #unit: number;
  readonly #nesting: Nesting;
  readonly #levels: Levels;
  #oddLines = 0;

  constructor(syntax: Syntax, unit: number, nesting: Nesting, levels = new Levels(syntax, unit)) {
    this.#syntax = syntax;
    this.#unit = unit;
    this.#nesting = nesting;
    this.#levels = levels;
  }

  /** A copy, for a copy of the nesting, that counts from zero. */
  fork(nesting: Nesting): Layout {
    return new Layout(this.#syntax, this.#unit, nesting, this.#levels.fork());
  }

  /** Lines that are not indented as the code around them suggests. */
  get faults(): number {
    return this.#levels.faults + this.#oddLines;
  }

  /** Whether a line that ends with this character is complete, so that the next one does not go on with it. */
  isComplete(last: string): boolean {
    return this.#syntax.layout === "colons" ? last !== ":" : /[;{}[(,>:/\n*]/.test(last);
  }

  /** The indentation that a line starting with this text should have; `undefined` if that is not known. */
  expectedIndent(line: string): number | undefined {
    return this.#isByLevel ? undefined : this.#nesting.expectedIndent(line);
  }

  /** Adds a line. `last` is the last character of code before it, `code` the code of the line before. */
  startLine(start: string, indent: number, last: string, code: string): void {
    const { layout } = this.#syntax;
    if (layout === "none" || (layout === "brackets" && start.startsWith("#"))) return;
    if (this.#isByLevel) {
      this.#levels.add(start, indent, last, code);
      return;
    }
    const { top } = this.#nesting;
    const expected = this.expectedIndent(start);
    const isDeeper = expected !== undefined && indent > expected;
    const closes = isCloser(start, top.closer);
    const goesOn = isDeeper && !closes && (!this.isComplete(last) || /^[.?:&|+]/.test(start) || last === ":");
    const isFree = goesOn || last === "\\" || /^(?:public|private|protected|case|default)\b/.test(start);
    const isArgument = top.closer === ")" && top.child === undefined && indent > top.indent;
    if (expected !== undefined && expected !== indent && !isFree && !isArgument) this.#oddLines += 1;
    if (!isFree && !closes) this.#nesting.setChild(indent);
  }

  /** Whether not brackets but levels decide at this place. */
  get #isByLevel(): boolean {
    const { layout } = this.#syntax;
    if (layout === "brackets") return false;
    return this.#nesting.depth === 0 || (layout === "words" && this.#nesting.top.closer === "}");
  }
}
