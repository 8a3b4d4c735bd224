import { indentOf, isFilled } from "../../text/lines.ts";
import { contentOf, readBrackets } from "./brackets.ts";
import { type Place as AnyPlace, unitOf } from "./place.ts";

type Place = AnyPlace & { readonly unit: string };

/** Most lines and characters whose indentation is looked at. */
const mostLines = 200;
const longestText = 12_000;

const closers = /^(?:[)\]}]|<\/|\/?>$)/;
const closingWords = /^(?:[)\]}]|(?:end|fi|done|esac|else|elif|elsif|elseif|when|rescue|ensure|except|finally)\b|;;)/;
const label = /^\s*(?:case\b.*|default):$/;
/** Lines for a preprocessor, which stand where they want. */
const directive = /^\s*#\s*(?:if|el|end|def|undef|region|pragma|include|line)/;
const opensWords =
  /(?:\b(?:do|then|else|begin)|\bdo \|[^|]*\||[({[])$|^(?:def|class|module|if|unless|while|until|case|for|begin|function|else|elsif|when|rescue|ensure)\b(?!.*\bend$)/;
const opensTag =
  /^(?:<(?!(?:br|hr|img|input|link|meta|area|base|col|source)\b)[a-z][\w.-]*(?:(?:\s[^<>]*)?(?<![/=])>)?|>)$/i;

/** The answer in the file's indentation, where the model lost or doubled it. */
export function fitIndentation(answer: string, source: AnyPlace): string {
  const said = answer.split("\n");
  const place = { ...source, unit: source.unit ?? unitOf(said) ?? "    " };
  const lines = inFileStyle(said, place);
  if (place.linePrefix !== "" && place.linePrefix.trim() === "") lines[0] = (lines[0] ?? "").trimStart();
  let best: readonly string[] = lines;
  if (place.language.levels !== "none" && lines.length < mostLines && answer.length < longestText) {
    let least = costOf(lines, place) - 0.65;
    for (const reading of readings(lines, place)) {
      const cost = costOf(reading, place);
      if (cost <= least) [best, least] = [reading, cost - 0.01];
    }
  }
  return best.join("\n");
}

/** How the lines may be meant: with more or less indentation, in all lines that the cursor is not on, or with none at all. */
function* readings(lines: readonly string[], place: Place): Generator<readonly string[]> {
  const { linePrefix, lastLine, nextLine, unit } = place;
  const [first = "", ...rest] = lines;
  const shifts = [linePrefix, lastLine, nextLine]
    .map(indentOf)
    .flatMap((indent) => [indent, indent + unit, indent.slice(unit.length)]);
  for (const shift of new Set([...shifts, unit])) {
    if (shift === "") continue;
    const deeper = (line: string): string => (isFilled(line) ? shift + line : line);
    const flatter = (line: string): string => (line.startsWith(shift) ? line.slice(shift.length) : line);
    for (const move of [deeper, flatter]) yield [linePrefix === "" ? move(first) : first, ...rest.map(move)];
  }
  const half = (line: string): string => line.slice(Math.ceil(indentOf(line).length / 2));
  yield [linePrefix === "" ? half(first) : first, ...rest.map(half)];
  if (lines.filter(isFilled).length > 1 && rest.every((line) => /^\S|^$/.test(line))) yield rebuilt(lines, place);
}

/** Reads lines one after the other, and says where each should stand. */
class Levels {
  readonly #place: Place;
  readonly #stack: string[];
  readonly #unit: number;
  #until: string;
  #last: string;

  constructor(place: Place) {
    this.#place = place;
    this.#stack = [...place.open.stack];
    this.#until = place.open.until;
    this.#last = contentOf(place.lastLine);
    this.#unit = place.unit === "\t" ? 4 : place.unit.length;
  }

  widthOf(line: string): number {
    return indentOf(line).replaceAll("\t", " ".repeat(this.#unit)).length;
  }

  get isInText(): boolean {
    return this.#until !== "" && this.#until !== "\n";
  }

  /** Whether a statement needs nothing at its end. */
  get #isPlain(): boolean {
    return ["words", "colons", "keys"].includes(this.#place.language.levels);
  }

  /** The width of the indentation of the line that opened the bracket at the top. */
  get #opener(): number | undefined {
    const opener = this.#stack.at(-1);
    return opener === undefined ? undefined : this.widthOf(opener);
  }

  /** The width of the indentation that the lines after an opener are deeper than. */
  get #base(): number {
    return (/[([{]$/.test(this.#last.trimEnd()) ? this.#opener : undefined) ?? this.widthOf(this.#last);
  }

  /** The indentation that a line should have, in columns. */
  expected(line: string): number {
    const last = this.widthOf(this.#last);
    const isCloser = this.#closes(line.trimStart());
    const isOpened = this.#opens(this.#last.trim()) && !(label.test(line) && label.test(this.#last));
    if (isCloser && /^[)\]}]/.test(line.trimStart())) return this.#opener ?? last;
    return Math.max(0, (isOpened ? this.#base + this.#unit : last) - (isCloser ? this.#unit : 0));
  }

  /** How odd the indentation of a line is, from 0. */
  costOf(line: string): number {
    const code = line.trimStart();
    const { levels } = this.#place.language;
    const [width, last, expected] = [this.widthOf(line), this.widthOf(this.#last), this.expected(line)];
    if (this.isInText) return code.startsWith("*") && /^\s*\/?\*/.test(this.#last) && width !== last + 1 ? 1 : 0;
    if (this.#last === "" || width === expected || directive.test(line)) return 0;
    // The items of a list may stand below their key.
    if (levels === "keys" && code.startsWith("- ") && width <= last) return 0;
    const opener = this.#opener;
    if (/^[)\]}]/.test(code)) return 1;
    if (opener !== undefined && width <= opener && !(width === opener && label.test(code))) return 1.5;
    if (this.#opens(this.#last.trim()))
      return width <= this.#base || this.#closes(code)
        ? 1
        : width < this.#base + 2 * this.#unit || this.#last.endsWith("(")
          ? 0.3
          : 0.7;
    if (width < last) return 0.3;
    if (!this.#goesOn(this.#last)) return this.#isComment(line) ? 0.5 : 1;
    return /[\w)\]"'`]$/.test(this.#last) ? 0.45 : 0.2;
  }

  /** Reads a line, or the rest of it from the cursor. */
  add(line: string, rest = line): void {
    const { language } = this.#place;
    const wasText = this.isInText;
    const { stack, closed, until } = readBrackets(rest, language, this.#until);
    this.#stack.length = Math.max(0, this.#stack.length - closed);
    this.#stack.push(...stack.map(() => indentOf(contentOf(line))));
    this.#until = until === "\n" || (until.length === 1 && until !== "`") ? "" : until;
    // The stars of a comment stand one column deeper than the comment.
    if (isFilled(line) && !directive.test(line) && (!wasText || /^\s+\*/.test(line))) this.#last = contentOf(line);
  }

  #closes(code: string): boolean {
    return (this.#isPlain ? closingWords : closers).test(code);
  }

  #opens(line: string): boolean {
    const { levels } = this.#place.language;
    if (/[([{]$/.test(line)) return true;
    if (levels === "colons" || levels === "keys") return /(?::|\b(?:then|do|else))$/.test(line);
    if (levels === "words") return opensWords.test(line);
    return opensTag.test(line) || line.endsWith("=>") || label.test(line);
  }

  #isComment(line: string): boolean {
    return this.#place.language.lineComments.some((mark) => line.trimStart().startsWith(mark));
  }

  /** Whether an expression goes on in the line after this one. */
  #goesOn(line: string): boolean {
    const code = line.trimEnd();
    if (this.#isComment(line) || (this.#place.language.levels === "tags" && code.endsWith(">"))) return false;
    return this.#isPlain
      ? /[\\,([{|&+=>]$/.test(code)
      : !/[;}]$/.test(code) && !(code.endsWith(",") && (this.#opener ?? -1) < this.widthOf(code));
  }
}

/** How odd the lines stand between the one before the cursor and the one after it. */
function costOf(lines: readonly string[], place: Place): number {
  const { linePrefix, lineSuffix, nextLine } = place;
  const levels = new Levels(place);
  let cost = 0;
  for (const [at, said] of [...lines, nextLine].entries()) {
    const rest = said + (at === lines.length - 1 ? lineSuffix : "");
    const line = (at === 0 ? linePrefix : "") + rest;
    if (isFilled(line) && (at > 0 || linePrefix.trim() === "")) cost += levels.costOf(line);
    levels.add(line, rest);
  }
  return cost;
}

/** The lines with the indentation that brackets and words ask for. */
function rebuilt([first = "", ...rest]: readonly string[], place: Place): readonly string[] {
  const { linePrefix, unit } = place;
  const levels = new Levels(place);
  const width = (columns: number): string => (unit === "\t" ? "\t".repeat(columns / 4) : " ".repeat(columns));
  const start = linePrefix === "" && isFilled(first) ? width(levels.expected(first)) + first.trimStart() : first;
  levels.add(linePrefix + start, start);
  const lines = rest.map((line) => {
    const fitted = isFilled(line) && !levels.isInText ? width(levels.expected(line)) + line : line;
    levels.add(fitted);
    return fitted;
  });
  return [start, ...lines];
}

/** The lines with the tabs or spaces of the file, if the lines around have no such indentation as the answer. */
function inFileStyle(lines: readonly string[], { before, unit, linePrefix, lastLine, nextLine }: Place): string[] {
  const near = [linePrefix, lastLine, nextLine].map(indentOf).join("") || unit;
  if (near.includes("\t") ? near.includes("  ") : unit === "\t" || /^\t/m.test(before)) return [...lines];
  if (!near.includes("\t")) return lines.map((line) => line.replace(/^\t+/, (tabs) => unit.repeat(tabs.length)));
  const step = Math.min(4, (unitOf(lines) ?? "    ").length);
  return lines.map((line) => line.replace(/^ {2,}/, (spaces) => "\t".repeat(Math.round(spaces.length / step))));
}
