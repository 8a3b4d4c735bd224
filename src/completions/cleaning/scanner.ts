import { Levels } from "./levels.ts";
import { closerOf, isCloser, type Nesting } from "./nesting.ts";
import type { Syntax } from "./syntax.ts";
import { endOfLine, endOfRegExp, tagStart, textStart } from "./textStart.ts";

const beforeRegExp = /[(,=:[!&|?{};+\n]/;

/**
 * Reads code just well enough to know what is open and how lines are indented, and counts what does not fit. It may
 * be wrong about rare code, so its counts are only good to compare several texts for the same place.
 */
export class Scanner {
  readonly #syntax: Syntax;
  readonly #unit: number;
  readonly #nesting: Nesting;
  readonly #levels: Levels;
  #openStrings = 0;
  #oddLines = 0;
  #until = "";
  #commentIndent = 0;
  #textIndent: number | undefined;
  #indent = 0;
  #isLineStart = true;
  #last = "\n";

  constructor(syntax: Syntax, unit: number, nesting: Nesting, levels = new Levels(syntax, unit)) {
    this.#syntax = syntax;
    this.#unit = unit;
    this.#nesting = nesting;
    this.#levels = levels;
  }

  /** A scanner in the same state whose counts start anew. */
  fork(): Scanner {
    const copy = new Scanner(this.#syntax, this.#unit, this.#nesting.fork(), this.#levels.fork());
    copy.#until = this.#until;
    copy.#commentIndent = this.#commentIndent;
    copy.#textIndent = this.#textIndent;
    copy.#indent = this.#indent;
    copy.#isLineStart = this.#isLineStart;
    copy.#last = this.#last;
    return copy;
  }

  /** Brackets and strings that do not fit. */
  get faults(): number {
    return this.#nesting.faults + this.#openStrings;
  }

  /** Lines that are not indented as the lines around them suggest. */
  get indentFaults(): number {
    return this.#levels.faults + this.#oddLines;
  }

  get depth(): number {
    return this.#nesting.depth;
  }

  /** What ends the comment or string that the text is in: `\n` for a comment on one line, empty in code. */
  get until(): string {
    return this.#until;
  }

  /** Whether the innermost thing that is open is an element. */
  get isInElement(): boolean {
    return this.#nesting.top.closer.startsWith("</");
  }

  /** Whether the line before is complete, so that the current one does not go on with it. */
  get isComplete(): boolean {
    return this.#syntax.layout === "colons" ? this.#last !== ":" : /[;{}[(,>:/\n*]/.test(this.#last);
  }

  /** The indentation that a line starting with this text should have; `undefined` if that is not known. */
  expectedIndent(line: string): number | undefined {
    if (this.#until === "*/" && line.startsWith("*")) return this.#commentIndent + 1;
    if (this.#until !== "")
      return this.#until.length === 3 && !line.startsWith(this.#until) ? this.#textIndent : undefined;
    return this.#syntax.layout !== "brackets" && this.depth === 0 ? undefined : this.#nesting.expectedIndent(line);
  }

  /** Reads on. */
  feed(text: string): this {
    for (let index = 0; index < text.length;) {
      const char = text[index] ?? "";
      if (char === "\n") this.#endLine();
      else if (this.#isLineStart && (char === " " || char === "\t")) this.#indent += char === "\t" ? this.#unit : 1;
      else {
        if (this.#isLineStart) this.#startLine(text.slice(index, index + 16));
        index = this.#until === "" ? this.#readCode(text, index, char) : this.#readText(text, index, char);
        continue;
      }
      index += 1;
    }
    return this;
  }

  #endLine(): void {
    const isOneLine = this.#until.length === 1 && this.#until !== "`" && this.#nesting.top.closer !== ">";
    if (isOneLine && this.#until === '"') this.#openStrings += 1;
    if (isOneLine || this.#until === "\n") this.#until = "";
    this.#isLineStart = true;
    this.#indent = 0;
  }

  #startLine(start: string): void {
    this.#isLineStart = false;
    const expected = this.expectedIndent(start);
    const indent = this.#indent;
    const isOdd = expected !== undefined && expected !== indent;
    if (this.#until !== "") {
      if (isOdd) this.#oddLines += 1;
      this.#textIndent = indent;
      return;
    }
    const { layout } = this.#syntax;
    if (layout === "none" || (layout === "brackets" && start.startsWith("#"))) return;
    if (this.depth === 0 && layout !== "brackets") {
      this.#levels.add(start, indent, this.#last);
      return;
    }
    const { top } = this.#nesting;
    const isDeeper = expected !== undefined && indent > expected;
    const goesOn =
      isDeeper && !isCloser(start, top.closer) && (!this.isComplete || /^[.?:&|+]/.test(start) || this.#last === ":");
    const isFree = goesOn || this.#last === "\\" || /^(?:public|private|protected|case|default)\b/.test(start);
    const isArgument = top.closer === ")" && top.child === undefined && indent > top.indent;
    if (isOdd && !isFree && !isArgument) this.#oddLines += 1;
    if (!isFree && !isCloser(start, top.closer)) this.#nesting.setChild(indent);
  }

  #readText(text: string, index: number, char: string): number {
    const until = this.#until;
    if (until === "\n") return endOfLine(text, index);
    if (char === "\\" && until !== "*/" && until !== "-->") return index + (text[index + 1] === "\n" ? 1 : 2);
    if (until === "`" && text.startsWith("${", index)) {
      this.#nesting.push({ closer: "}", indent: this.#indent, child: undefined, name: until });
      this.#until = "";
      return index + 2;
    }
    if (!text.startsWith(until, index)) return index + 1;
    this.#until = "";
    if (until !== "*/" && until !== "-->") this.#last = '"';
    return index + until.length;
  }

  #readCode(text: string, index: number, char: string): number {
    if (char === " " || char === "\t") return index + 1;
    const isTag = this.#nesting.top.closer === ">";
    const opened = isTag ? undefined : this.#openText(text, index, char);
    if (opened !== undefined) return opened;
    if (isTag && (char === '"' || char === "'")) {
      this.#until = char;
      return index + 1;
    }
    const ended = this.#syntax.hasTags ? this.#readTag(text, index, char, isTag) : undefined;
    if (ended !== undefined) return ended;
    const closer = closerOf.get(char);
    if (closer !== undefined) this.#nesting.push({ closer, indent: this.#indent, child: undefined });
    if (char === ")" || char === "]" || char === "}")
      this.#until = this.#nesting.close(char, this.#indent)?.name ?? this.#until;
    this.#last = /\w/.test(char) ? "a" : char;
    return index + 1;
  }

  /** Starts a comment or a string, or reads a regular expression; returns where the code goes on. */
  #openText(text: string, index: number, char: string): number | undefined {
    const found = textStart(this.#syntax, text, index, char);
    if (found) {
      this.#until = found.until;
      this.#commentIndent = this.#indent;
      this.#textIndent = undefined;
      return index + found.length;
    }
    if (char !== "/" || !this.#syntax.hasRegExps || !beforeRegExp.test(this.#last)) return undefined;
    const end = endOfRegExp(text, index);
    this.#last = end === undefined ? this.#last : '"';
    return end;
  }

  #readTag(text: string, index: number, char: string, isTag: boolean): number | undefined {
    if (isTag && char === ">") {
      this.#nesting.endTag(this.#last === "/");
      this.#last = ">";
      return index + 1;
    }
    if (char !== "<") return undefined;
    const { isEnd, name, end } = tagStart(text, index);
    if (isEnd) {
      this.#nesting.close(`</${name}`, this.#indent);
      this.#last = ">";
      return text[end] === ">" ? end + 1 : end;
    }
    // After a name, `<` compares or starts type arguments.
    if ((name === "" && text[end] !== ">") || (!this.#syntax.isProse && this.#last === "a")) return undefined;
    this.#nesting.push({ closer: ">", indent: this.#indent, child: undefined, name });
    this.#last = "<";
    return end;
  }
}
