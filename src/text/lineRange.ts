import { splitLines } from "./lines.ts";

/** A range of whole lines, zero-based; `end` is exclusive. */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}

/** The properties of a change that an editor reports that are used here. */
export interface DocumentChange {
  readonly range: {
    readonly start: { readonly line: number; readonly character: number };
    readonly end: { readonly line: number; readonly character: number };
  };
  readonly text: string;
  /** The number of line breaks in the text, if it is known. */
  readonly breaks?: number;
}

/** The range after a change. Edits above shift it; edits inside resize it. An empty range stays between its lines. */
export function shiftLines(lines: LineRange, change: DocumentChange): LineRange {
  const { start, end } = change.range;
  const delta = lineDelta(change);
  if (end.line < lines.start || stopsAtStartOf(lines.start, change)) {
    return { start: lines.start + delta, end: lines.end + delta };
  }
  if (start.line >= lines.end) return lines;
  const isWhole = start.character === 0 && end.line > start.line && stopsAtStartOf(end.line, change);
  if (lines.start === lines.end) {
    const place = isWhole ? start.line : start.line + 1;
    return { start: place, end: place };
  }
  const first = Math.min(lines.start, start.line);
  const touched = isWhole ? end.line : end.line + 1;
  return { start: first, end: Math.max(first, Math.max(lines.end, touched) + delta) };
}

/** Whether a change may do more than move a range or alter one of its lines. */
export function reshapes(lines: LineRange, change: DocumentChange): boolean {
  const { start, end } = change.range;
  if (end.line < lines.start || stopsAtStartOf(lines.start, change) || start.line >= lines.end) return false;
  return end.line > start.line || (change.breaks ?? countBreaks(change.text)) > 0;
}

/** The number of lines that a change adds. */
export function lineDelta({ range: { start, end }, text, breaks }: DocumentChange): number {
  return (breaks ?? countBreaks(text)) - (end.line - start.line);
}

/** Whether a change ends at the start of a line without touching the line. */
function stopsAtStartOf(line: number, { range: { start, end }, text }: DocumentChange): boolean {
  if (end.line !== line || end.character !== 0) return false;
  return text === "" ? start.character === 0 : text.endsWith("\n") || text.endsWith("\r");
}

/** The number of line breaks in a text. */
export function countBreaks(text: string): number {
  return splitLines(text).length - 1;
}

/** The properties of a document that are used here. */
export interface LineSource {
  readonly lineCount: number;
  readonly eol: string;
  lineLength(line: number): number;
}

/** One replacement of text, as editors take it. */
interface TextReplacement {
  readonly start: Position;
  readonly end: Position;
  readonly text: string;
}

interface Position {
  readonly line: number;
  readonly character: number;
}

/** Replaces a range of whole lines with `lines`. Uses the document's line endings and keeps its final newline. */
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
