import { indentOf, isFilled } from "../../text/lines.ts";
import { readBrackets } from "./brackets.ts";
import type { Place } from "./place.ts";

/** Most lines and characters whose indentation is looked at. */
const mostLines = 200;
const longestText = 12_000;

const closers = /^(?:[)\]}]|<\/|#?(?:end|fi|done|esac|else|elif|elsif|elseif|when|rescue|ensure|except|finally)\b|;;)/;
/** Lines that often stand elsewhere: comments, and what goes on with an expression. */
const goesOn = /^(?:#|\/\/|--|[.?:|&+*])/;
const opensWords =
  /(?:\b(?:do|then|else|begin)|\bdo \|[^|]*\||[({[])$|^(?:def|class|module|if|unless|while|until|case|for|begin|function|else|elsif|when|rescue|ensure)\b(?!.*\bend$)/;
const opensTag = /<([a-z][\w-]*)(?:\s[^<>]*)?(?<!\/)>$/i;
const empty = /^(?:br|hr|img|input|link|meta|area|base|col|source)$/i;

/** The answer in the file's indentation, where the model lost or doubled it. */
export function fitIndentation(answer: string, place: Place): string {
  const lines = inFileStyle(answer.split("\n"), place);
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

/** How the lines may be meant: with more or less indentation in all lines or in all but the first, or with none at all. */
function* readings(lines: readonly string[], place: Place): Generator<readonly string[]> {
  const { linePrefix, lastLine, nextLine, unit } = place;
  const [first = "", ...rest] = lines;
  const near = [linePrefix, lastLine, nextLine].map((line) => indentOf(line.replace(/^(\s*) \*/, "$1*")));
  const shifts = near.flatMap((indent) => [indent, indent + unit]);
  for (const shift of new Set([...shifts, unit])) {
    if (shift === "") continue;
    const deeper = (line: string): string => (isFilled(line) ? shift + line : line);
    const flatter = (line: string): string => (line.startsWith(shift) ? line.slice(shift.length) : line);
    for (const change of [deeper, flatter]) {
      yield [first, ...rest.map(change)];
      if (linePrefix === "")
        yield* [
          [change(first), ...rest],
          [change(first), ...rest.map(change)],
        ];
    }
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
    this.#last = place.lastLine;
    this.#unit = place.unit === "\t" ? 4 : place.unit.length;
  }

  widthOf(line: string): number {
    return indentOf(line).replaceAll("\t", " ".repeat(this.#unit)).length;
  }

  get isInText(): boolean {
    return this.#until !== "" && this.#until !== "\n";
  }

  /** The width of the indentation of the line that opened the bracket at the top. */
  get #opener(): number | undefined {
    const opener = this.#stack.at(-1);
    return opener === undefined ? undefined : this.widthOf(opener);
  }

  /** The indentation that a line should have, in columns. */
  expected(line: string): number {
    const last = this.widthOf(this.#last);
    const isCloser = closers.test(line.trimStart());
    const isOpened = this.#opens(this.#last.trim());
    if (isCloser && /^[)\]}]/.test(line.trimStart())) return this.#opener ?? last;
    return Math.max(0, last + (isOpened ? this.#unit : 0) - (isCloser ? this.#unit : 0));
  }

  /** How odd the indentation of a line is, from 0. */
  costOf(line: string): number {
    const code = line.trimStart();
    const levels = this.#place.language.levels;
    const [width, last, expected] = [this.widthOf(line), this.widthOf(this.#last), this.expected(line)];
    if (this.isInText || this.#last === "" || width === expected) return 0;
    const opener = this.#opener;
    if (/^[)\]}]/.test(code)) return 1;
    if (opener !== undefined && !code.startsWith("#") && width <= opener) return 1.5;
    if (this.#opens(this.#last.trim()))
      return width <= last || closers.test(code)
        ? 1
        : width < last + 2 * this.#unit || this.#last.endsWith("(")
          ? 0.3
          : 0.7;
    if (levels === "colons" || levels === "words") {
      if (width > last) return this.#goesOn(this.#last) ? 0.3 : 1;
      return levels === "words" && !closers.test(code) ? 0.6 : 0;
    }
    return width > last && this.#goesOn(this.#last) ? 0.2 : goesOn.test(code) ? 0.5 : width < last ? 0.3 : 1;
  }

  /** Reads a line, or the rest of it from the cursor. */
  add(line: string, rest = line): void {
    const { language } = this.#place;
    const wasText = this.isInText;
    const { stack, closed, until } = readBrackets(rest, language, this.#until);
    this.#stack.length = Math.max(0, this.#stack.length - closed);
    this.#stack.push(...stack.map(() => indentOf(line)));
    this.#until = until === "\n" || (until.length === 1 && until !== "`") ? "" : until;
    // The stars of a comment stand one column deeper than the comment.
    if (isFilled(line) && (!wasText || /^\s+\*/.test(line))) this.#last = line.replace(/^(\s*) \*/, "$1*");
  }

  #opens(line: string): boolean {
    const { levels, lineComments } = this.#place.language;
    const code = lineComments.reduce((text, mark) => text.split(` ${mark}`, 1)[0] ?? "", ` ${line}`).trim();
    if (/[([{]$/.test(code)) return true;
    if (levels === "colons") return code.endsWith(":");
    if (levels === "words") return opensWords.test(code);
    if (levels === "tags") return opensTag.test(code) && !empty.test(opensTag.exec(code)?.[1] ?? "");
    return (
      code.endsWith("=>") || /^\s*(?:case\b.*|default):$/.test(code) || /^<[\w.]+(?:\s[^<>]*)?(?<![/=])>$/.test(code)
    );
  }

  /** Whether an expression goes on in the line after this one. */
  #goesOn(line: string): boolean {
    const code = line.trimEnd();
    return this.#place.language.levels === "colons" || this.#place.language.levels === "words"
      ? /[\\,([{|&+=.]$/.test(code) || this.#stack.length > 0 || /^\s*- /.test(code)
      : !/[;}]$/.test(code) &&
          (this.#place.hasSemicolons || /[,([{|&+=.:?<>*/-]$/.test(code)) &&
          !(code.endsWith(",") && (this.#opener ?? -1) < this.widthOf(code));
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
  const width = (columns: number): string =>
    unit === "\t" ? "\t".repeat(Math.max(0, columns / 4)) : " ".repeat(Math.max(0, columns));
  const start = linePrefix === "" && isFilled(first) ? width(levels.expected(first)) + first.trimStart() : first;
  levels.add(linePrefix + start, start);
  const lines = rest.map((line) => {
    const fitted = isFilled(line) && !levels.isInText ? width(levels.expected(line)) + line : line;
    levels.add(fitted);
    return fitted;
  });
  return [start, ...lines];
}

/** The lines with the tabs or spaces of the file. */
function inFileStyle(lines: readonly string[], { unit, linePrefix, lastLine, nextLine }: Place): string[] {
  const near = [linePrefix, lastLine, nextLine].map(indentOf).join("");
  const isTabs = near === "" ? unit === "\t" : near.startsWith("\t");
  if (!isTabs)
    return lines.map((line) => line.replace(/^\t+/, (tabs) => (unit === "\t" ? tabs : unit.repeat(tabs.length))));
  const widths = [...new Set([0, ...lines.map((line) => /^ */.exec(line)?.[0].length ?? 0)])].sort(
    (one, other) => one - other,
  );
  const step = Math.max(2, Math.min(4, ...widths.slice(1).map((width, at) => width - (widths[at] ?? 0))));
  return lines.map((line) => line.replace(/^ {2,}/, (spaces) => "\t".repeat(Math.round(spaces.length / step))));
}
