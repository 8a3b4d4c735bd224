import type { Syntax } from "./syntax.ts";

/** Whether the lines fit where indentation is the structure, as in Python and YAML. */
export class Levels {
  /** Lines that are indented without a reason, or not indented although they must be. */
  faults = 0;
  readonly #syntax: Syntax;
  readonly #unit: number;
  #widths: readonly number[] = [0];

  constructor(syntax: Syntax, unit: number) {
    this.#syntax = syntax;
    this.#unit = unit;
  }

  fork(): Levels {
    const copy = new Levels(this.#syntax, this.#unit);
    copy.#widths = this.#widths;
    return copy;
  }

  /** Adds a line. `last` is the last character of code before it. */
  add(line: string, indent: number, last: string): void {
    const isYaml = this.#syntax.layout === "yaml";
    const now = this.#widths.at(-1) ?? 0;
    const mayOpen = last === ":" || (isYaml && /[-|>]/.test(last));
    const mustOpen = last === ":" && !isYaml;
    if (indent > now) {
      if (!mayOpen || (mustOpen && indent - now !== this.#unit)) this.faults += 1;
    } else if (mustOpen || !this.#widths.includes(indent)) this.faults += 1;
    const outer = this.#widths.filter((width) => width < indent).slice(-50);
    this.#widths = isYaml && line.startsWith("- ") ? [...outer, indent, indent + 2] : [...outer, indent];
  }
}
