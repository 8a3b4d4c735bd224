import type { LineEdit } from "../../../src/edits/types.ts";
import { hasText } from "../../../src/text/lines.ts";

/** What a file's bytes have besides its lines. */
export interface FileForm {
  readonly eol: "\n" | "\r\n";
  readonly hasBom: boolean;
  readonly hasFinalNewline: boolean;
}

/** A change that somebody made, or could have made, to one file. */
export interface RealEdit {
  readonly path: string;
  readonly form: FileForm;
  readonly lines: readonly string[];
  /** In the order of the file, neither overlapping nor adjacent. */
  readonly hunks: readonly LineEdit[];
}

/** The text of a file with these lines. */
export function fileText(lines: readonly string[], { eol, hasBom, hasFinalNewline }: FileForm): string {
  return (hasBom ? "\u{feff}" : "") + lines.join(eol) + (hasFinalNewline ? eol : "");
}

/** The lines and the form of a file; nothing for what is mixed, binary, or too long for an answer. */
export function readFileText(text: string): Pick<RealEdit, "lines" | "form"> | undefined {
  const hasBom = text.startsWith("\u{feff}");
  const body = hasBom ? text.slice(1) : text;
  const eol = body.includes("\r\n") ? "\r\n" : "\n";
  const lines = body.split(eol);
  const hasFinalNewline = lines.length > 1 && lines.at(-1) === "";
  if (hasFinalNewline) lines.pop();
  const isOdd = lines.some((line) => line.length > 400 || /[\n\r\0\u2028\u2029\v\f\u{feff}]/u.test(line));
  return isOdd || lines.length < 4 ? undefined : { lines, form: { eol, hasBom, hasFinalNewline } };
}

/** The lines of a file after some changes. */
export function withHunks(lines: readonly string[], hunks: readonly LineEdit[]): readonly string[] {
  const result: string[] = [];
  let next = 0;
  for (const { start, end, lines: added } of hunks) {
    for (; next < start; next += 1) result.push(lines[next] ?? "");
    for (const line of added) result.push(line);
    next = end;
  }
  for (; next < lines.length; next += 1) result.push(lines[next] ?? "");
  return result;
}

/** The hunks in order, with those that touch made into one. */
export function mergeHunks(hunks: readonly LineEdit[]): readonly LineEdit[] {
  const merged: LineEdit[] = [];
  for (const hunk of [...hunks].sort((one, other) => one.start - other.start)) {
    const last = merged.at(-1);
    if (!last || last.end < hunk.start) merged.push(hunk);
    else merged.splice(-1, 1, { start: last.start, end: hunk.end, lines: [...last.lines, ...hunk.lines] });
  }
  return merged;
}

/** A line without its white space. */
export function squeeze(line: string): string {
  return line.replace(/\s+/g, "");
}

const squeezed = new WeakMap<readonly string[], readonly string[]>();

/** All lines that have more than white space, without their white space. */
function filledOf(lines: readonly string[]): readonly string[] {
  const known = squeezed.get(lines) ?? lines.filter(hasText).map(squeeze);
  squeezed.set(lines, known);
  return known;
}

/** How often some lines stand in a file; blank lines and white space count only where `exactly`. */
export function countPlaces(lines: readonly string[], wanted: readonly string[], exactly: boolean): number {
  const there = exactly ? lines : filledOf(lines);
  const sought = exactly ? wanted : filledOf(wanted);
  if (!sought.some(hasText)) return Infinity;
  let count = 0;
  for (let at = there.indexOf(sought[0] ?? ""); at >= 0; at = there.indexOf(sought[0] ?? "", at + 1)) {
    if (sought.every((line, index) => there[at + index] === line)) count += 1;
  }
  return count;
}
