import { Layout } from "./layout.ts";
import { closerOf, type Nesting } from "./nesting.ts";
import type { Syntax } from "./syntax.ts";
import { TextIndent } from "./textIndent.ts";
import { readTag } from "./tagReading.ts";
import { endOfLine, endOfRegExp, textStart } from "./textStart.ts";

const beforeRegExp = /[(,=:[!&|?{};+\n]/;

/**
 * Reads code just well enough to know what is open and how lines are indented, and counts what does not fit. It may
 * be wrong about rare code, so its counts are only good to compare several texts for the same place.
 */
export class Scanner {
  readonly #syntax: Syntax;
  readonly #unit: number;
  readonly #nesting: Nesting;
  readonly #layout: Layout;
  #openStrings = 0;
  #oddLines = 0;
  #until = "";
  #spansLines = false;
  #textIndent = new TextIndent("", 0);
  #indent = 0;
  #isLineStart = true;
  #last = "\n";
  /** The code of the current line, as long as it is not too long, where words open blocks. */
  #code = "";

  constructor(syntax: Syntax, unit: number, nesting: Nesting, layout = new Layout(syntax, unit, nesting)) {
    this.#syntax = syntax;
    this.#unit = unit;
    this.#nesting = nesting;
    this.#layout = layout;
  }

  /** A scanner in the same state whose counts start anew. */
  fork(): Scanner {
    const nesting = this.#nesting.fork();
    const copy = new Scanner(this.#syntax, this.#unit, nesting, this.#layout.fork(nesting));
    copy.#until = this.#until;
    copy.#spansLines = this.#spansLines;
    copy.#textIndent = this.#textIndent.fork();
    copy.#indent = this.#indent;
    copy.#isLineStart = this.#isLineStart;
    copy.#last = this.#last;
    copy.#code = this.#code;
    return copy;
  }

  /** Brackets and strings that do not fit. */
  get faults(): number {
    return this.#nesting.faults + this.#openStrings;
  }

  /** Lines that are not indented as the lines around them suggest. */
  get indentFaults(): number {
    return this.#layout.faults + this.#oddLines;
  }

  get depth(): number {
    return this.#nesting.depth;
  }

  /** What ends the comment or string that the text is in: `\n` for a comment on one line, empty in code. */
  get until(): string {
    return this.#until;
  }

  /** Whether the text is in a comment or string that can have several lines. */
  get isInLongText(): boolean {
    return this.#until !== "" && this.#spansLines;
  }

  /** Whether the innermost thing that is open is an element. */
  get isInElement(): boolean {
    return this.#nesting.top.closer.startsWith("</");
  }

  /** Whether the line before is complete, so that the current one does not go on with it. */
  get isComplete(): boolean {
    return this.#layout.isComplete(this.#last);
  }

  /** The indentation that a line starting with this text should have; `undefined` if that is not known. */
  expectedIndent(line: string): number | undefined {
    return this.#until === "" ? this.#layout.expectedIndent(line) : this.#textIndent.expected(line);
  }

  /** Reads on. */
  feed(text: string): this {
    for (let index = 0; index < text.length;) {
      const char = text[index] ?? "";
      if (char === "\n") this.#endLine();
      else if (this.#isLineStart && (char === " " || char === "\t")) this.#indent += char === "\t" ? this.#unit : 1;
      else {
        if (this.#isLineStart) this.#startLine(text.slice(index, index + 40));
        index = this.#until === "" ? this.#readCode(text, index, char) : this.#readText(text, index, char);
        continue;
      }
      index += 1;
    }
    return this;
  }

  #endLine(): void {
    const isOneLine = this.#until !== "" && !this.#spansLines && this.#nesting.top.closer !== ">";
    if (isOneLine && this.#until === '"') this.#openStrings += 1;
    if (isOneLine) this.#until = "";
    this.#isLineStart = true;
    this.#indent = 0;
  }

  #startLine(start: string): void {
    this.#isLineStart = false;
    const indent = this.#indent;
    if (this.#until !== "") {
      if (this.#textIndent.add(start, indent)) this.#oddLines += 1;
      return;
    }
    this.#layout.startLine(start, indent, this.#last, this.#code);
    this.#code = "";
  }

  #readText(text: string, index: number, char: string): number {
    const until = this.#until;
    if (until === "\n") return endOfLine(text, index);
    // In scripts of a shell, a backslash escapes nothing between single quotation marks.
    const isRaw = until === "'" && this.#spansLines && this.#syntax.layout === "words";
    if (char === "\\" && until !== "*/" && until !== "-->" && !isRaw) {
      // A string on one line goes on where its end is escaped.
      if (text[index + 1] !== "\n") return index + 2;
      this.#isLineStart = true;
      this.#indent = 0;
      return index + 2;
    }
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
    if (this.#syntax.layout === "words" && this.#code.length < 400) this.#code += char;
    if (char === " " || char === "\t") return index + 1;
    if (char === "\\" && this.#syntax.layout === "words" && text[index + 1] !== "\n") return index + 2;
    const isTag = this.#nesting.top.closer === ">";
    const opened = isTag ? undefined : this.#openText(text, index, char);
    if (opened !== undefined) return opened;
    if (isTag && (char === '"' || char === "'")) {
      this.#until = char;
      this.#spansLines = false;
      return index + 1;
    }
    if (this.#syntax.hasTags) {
      const canOpen = this.#syntax.isProse || this.#last !== "a";
      const tag = readTag(text, index, this.#nesting, { indent: this.#indent, isEmpty: this.#last === "/", canOpen });
      if (tag) {
        this.#last = tag.last;
        return tag.end;
      }
    }
    const closer = closerOf.get(char);
    if (closer !== undefined) this.#nesting.push({ closer, indent: this.#indent, child: undefined });
    if (char === ")" || char === "]" || char === "}") this.#closeBracket(char);
    // The next line goes on with an arrow as with an operator.
    if (char !== ">" || !/[=-]/.test(this.#last)) this.#last = /\w/.test(char) ? "a" : char;
    return index + 1;
  }

  #closeBracket(char: string): void {
    // Patterns of a case in a script of a shell end with a bracket that nothing opens.
    if (char === ")" && this.#syntax.layout === "words" && this.#nesting.top.closer !== char) return;
    if (this.#last === "$" && this.#syntax.lineComments.includes("#")) return;
    const name = this.#nesting.close(char, this.#indent)?.name;
    if (name === undefined) return;
    this.#until = name;
    this.#spansLines = true;
  }

  /** Starts a comment or a string, or reads a regular expression; returns where the code goes on. */
  #openText(text: string, index: number, char: string): number | undefined {
    const found = textStart(this.#syntax, text, index, char);
    if (found) {
      this.#until = found.until;
      this.#spansLines = found.spansLines;
      this.#textIndent = new TextIndent(found.until, this.#indent);
      return index + found.length;
    }
    if (char !== "/" || !this.#syntax.hasRegExps || !beforeRegExp.test(this.#last)) return undefined;
    const end = endOfRegExp(text, index);
    this.#last = end === undefined ? this.#last : '"';
    return end;
  }
}
