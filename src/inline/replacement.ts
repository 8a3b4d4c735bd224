import type { LineRange } from "./lines.ts";

/** What is read of a document to replace lines in it. */
export interface LineSource {
  readonly lineCount: number;
  readonly eol: string;
  lineLength(line: number): number;
}

/** One replacement of text, as editors take it. */
export interface TextReplacement {
  readonly start: Position;
  readonly end: Position;
  readonly text: string;
}

interface Position {
  readonly line: number;
  readonly character: number;
}

/** Puts `lines` in place of a range of whole lines. Line endings are the document's; its final newline stays as it is. */
export function replaceLines(source: LineSource, { start, end }: LineRange, lines: readonly string[]): TextReplacement {
  const text = lines.join(source.eol);
  const endOf = (line: number): Position => ({ line, character: source.lineLength(line) });
  if (start < end && lines.length > 0) return { start: { line: start, character: 0 }, end: endOf(end - 1), text };
  if (end < source.lineCount) {
    const next = lines.length > 0 ? text + source.eol : "";
    return { start: { line: start, character: 0 }, end: { line: end, character: 0 }, text: next };
  }
  if (start > 0) {
    const next = lines.length > 0 ? source.eol + text : "";
    return { start: endOf(start - 1), end: endOf(end - 1), text: next };
  }
  return { start: { line: 0, character: 0 }, end: endOf(end - 1), text };
}

/** Gives lines of an answer the indentation of the code they replace, which models like to leave out. */
export function fitIndentation(code: readonly string[], lines: readonly string[]): readonly string[] {
  const fitting = withSameUnit(code, lines);
  const base = commonIndent(code);
  const first = fitting.findIndex((line) => !isBlank(line));
  if (base === "" || first < 0 || indentOf(fitting[first] ?? "") !== "") return fitting;
  const bare = onlyFirstIsBare(code, fitting.slice(first + 1), base) ? first : fitting.length;
  return fitting.map((line, index) => (isBlank(line) || index > bare ? line : base + line));
}

/** The first line lost its indentation and the others kept theirs: an answer that begins at the first word. */
function onlyFirstIsBare(code: readonly string[], others: readonly string[], base: string): boolean {
  const filled = others.filter((line) => !isBlank(line));
  return filled.length > 0 && filled.every((line) => line.startsWith(base)) && commonIndent(code.slice(1)) === base;
}

/** Tabs where the code has tabs, spaces where it has spaces. */
function withSameUnit(code: readonly string[], lines: readonly string[]): readonly string[] {
  const usesTabs = code.some((line) => line.startsWith("\t"));
  const usesSpaces = code.some((line) => line.startsWith("  "));
  if (usesTabs && !usesSpaces && !lines.some((line) => line.startsWith("\t"))) {
    const unit = spaceUnit(lines);
    return lines.map((line) => line.replace(/^ +/, (spaces) => toTabs(spaces, unit)));
  }
  if (usesSpaces && !usesTabs) {
    const unit = spaceUnit(code);
    return lines.map((line) => line.replace(/^\t+/, (tabs) => " ".repeat(tabs.length * unit)));
  }
  return lines;
}

function toTabs(spaces: string, unit: number): string {
  return "\t".repeat(Math.floor(spaces.length / unit)) + " ".repeat(spaces.length % unit);
}

/** The smallest step of indentation by spaces; a single space is alignment. */
function spaceUnit(lines: readonly string[]): number {
  const widths = lines.map((line) => /^ */.exec(line)?.[0].length ?? 0).filter((width) => width > 1);
  return widths.length === 0 ? 4 : widths.reduce((one, other) => Math.min(one, other));
}

/** The whitespace all lines with words begin with; of blank lines only, the longest. */
function commonIndent(lines: readonly string[]): string {
  const filled = lines.filter((line) => !isBlank(line));
  if (filled.length === 0)
    return lines.map(indentOf).reduce((one, other) => (other.length > one.length ? other : one), "");
  return filled.map(indentOf).reduce((one, other) => sharedStart(one, other));
}

function sharedStart(one: string, other: string): string {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return one.slice(0, length);
}

function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

function isBlank(line: string): boolean {
  return line.trim() === "";
}
