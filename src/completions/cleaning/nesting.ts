/** A bracket, a tag or an element that is open. */
export interface Open {
  /** What closes it: a bracket, `>` for a tag itself, `</name` for an element. */
  readonly closer: string;
  /** The indentation of its line, and of the lines in it as far as they are known, in columns. */
  readonly indent: number;
  readonly child: number | undefined;
  /** The string that goes on after it, or the name of the tag. */
  readonly name?: string;
}

/** What closes each opening bracket. */
export const closerOf: ReadonlyMap<string, string> = new Map([
  ["(", ")"],
  ["[", "]"],
  ["{", "}"],
]);
const voidElement = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/i;

/** What is open, one in the other, with the indentation it asks for. */
export class Nesting {
  /** Closers that nothing opened. */
  faults = 0;
  readonly #isWhole: boolean;
  readonly #unit: number;
  #open: Open[];

  /**
   * `isWhole` says that nothing is open where the text starts, `unit` is the indentation of a block in columns, `child`
   * that of the outermost lines if it is known.
   */
  constructor(isWhole: boolean, unit: number, child = isWhole ? 0 : undefined) {
    this.#isWhole = isWhole;
    this.#unit = unit;
    this.#open = [{ closer: "", indent: -unit, child }];
  }

  fork(): Nesting {
    const copy = new Nesting(this.#isWhole, this.#unit);
    copy.#open = [...this.#open];
    return copy;
  }

  get depth(): number {
    return this.#open.length - 1;
  }

  get top(): Open {
    return this.#open.at(-1) ?? { closer: "", indent: -this.#unit, child: undefined };
  }

  /** The indentation that a line starting with this text should have; `undefined` if that is not known. */
  expectedIndent(line: string): number | undefined {
    const { top, depth } = this;
    if (isCloser(line, top.closer)) return depth === 0 ? undefined : top.indent;
    return top.child ?? (depth === 0 ? undefined : top.indent + this.#unit);
  }

  /** Learns the indentation of the lines in what is open. */
  setChild(child: number): void {
    this.#replaceTop({ ...this.top, child });
  }

  push(open: Open): void {
    // Hostile text may open very much; what is far out says nothing any more.
    if (this.#open.length > 2_000) this.#open = this.#open.slice(-1_000);
    this.#open.push(open);
  }

  /** Ends a tag at its `>`, which starts its element unless it is empty. */
  endTag(isEmpty: boolean): void {
    const { indent, name = "" } = this.top;
    this.#open.pop();
    if (!isEmpty && !voidElement.test(name)) this.push({ closer: `</${name}`, indent, child: undefined });
  }

  /** Closes what the closer fits; returns it if it is the innermost. */
  close(closer: string, indent: number): Open | undefined {
    const { top } = this;
    if (top.closer === closer) return this.#open.pop();
    if (this.depth === 0 && !this.#isWhole) {
      this.#replaceTop({ closer: "", indent: -this.#unit, child: indent });
      return undefined;
    }
    this.faults += 1;
    const near = Math.max(1, this.#open.length - 3);
    const at = this.#open.slice(near).findLastIndex((open) => open.closer === closer);
    if (at >= 0) this.#open = this.#open.slice(0, near + at);
    return undefined;
  }

  #replaceTop(open: Open): void {
    this.#open[this.#open.length - 1] = open;
  }
}

/** Whether a line starts with a closer. With the innermost bracket unknown, any closer will do. */
export function isCloser(line: string, closer: string): boolean {
  if (line.startsWith("</")) return true;
  if (closer === "") return /^[)\]}]/.test(line);
  return line.startsWith(closer) || (closer === ">" && line.startsWith("/>"));
}
