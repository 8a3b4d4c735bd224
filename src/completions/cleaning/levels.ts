import type { Syntax } from "./syntax.ts";
import { closesBlock, opensBlock } from "./words.ts";

/** Whether the lines fit where indentation is the structure, as in Python and YAML, or follows words. */
export class Levels {
  /** Lines that are indented without a reason, or not indented although they must be. */
  faults = 0;
  readonly #syntax: Syntax;
  readonly #unit: number;
  #widths: readonly number[] = [0];
  /** Whether the last line goes on with the one before, so that the next may be less deep. */
  #isLoose = false;

  constructor(syntax: Syntax, unit: number) {
    this.#syntax = syntax;
    this.#unit = unit;
  }

  fork(): Levels {
    const copy = new Levels(this.#syntax, this.#unit);
    copy.#widths = this.#widths;
    copy.#isLoose = this.#isLoose;
    return copy;
  }

  /** Adds a line. `last` is the last character of code before it, `code` the code of the line before. */
  add(line: string, indent: number, last: string, code: string): void {
    if (this.#syntax.lineComments.some((mark) => line.startsWith(mark))) return;
    if (this.#syntax.layout === "words") {
      this.#addWords(line, indent, code);
      return;
    }
    const isYaml = this.#syntax.layout === "yaml";
    const now = this.#widths.at(-1) ?? 0;
    const mayOpen = last === ":" || (isYaml && /[-|>]/.test(last));
    const mustOpen = last === ":" && !isYaml;
    if (indent > now) {
      if (!mayOpen || (last === ":" && indent - now !== this.#unit)) this.faults += 1;
    } else if (mustOpen || !this.#widths.includes(indent)) this.faults += 1;
    const outer = this.#widths.filter((width) => width < indent).slice(-50);
    this.#widths = isYaml && line.startsWith("- ") ? [...outer, indent, indent + 2] : [...outer, indent];
  }

  /** Adds a line where words open and close blocks. */
  #addWords(line: string, indent: number, code: string): void {
    const now = this.#widths.at(-1) ?? 0;
    const opens = opensBlock(code);
    const mustOpen = opens === "must" && !closesBlock(line);
    if (indent > now ? opens === undefined : mustOpen) this.faults += 1;
    else if (indent < now && !(closesBlock(line) && this.#widths.includes(indent)) && !this.#isLoose) this.faults += 1;
    this.#isLoose = indent > now && opens === "may" && /[\\,=|&+.-]\s*$/.test(code);
    this.#widths = [...this.#widths.filter((width) => width < indent).slice(-50), indent];
  }
}
