import { splitLines } from "./lines.ts";

/** A range of whole lines, zero-based; `end` is exclusive. */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}

interface Position {
  readonly line: number;
  readonly character: number;
}

/** The properties of an editor's range that are used here. */
export interface Span {
  readonly start: Position;
  readonly end: Position;
}

/** A change of a document, in the form of VS Code's `TextDocumentContentChangeEvent`. */
export interface DocumentChange {
  readonly range: Span;
  readonly text: string;
}

/** The lines that a span touches. One that ends before the first character of a line leaves that line out. */
export function touchedLines({ start, end }: Span): LineRange {
  const endsBeforeLine = end.character === 0 && end.line > start.line;
  return { start: start.line, end: endsBeforeLine ? end.line : end.line + 1 };
}

/** The range after a change. Edits above shift it; edits inside resize it. An empty range stays between its lines. */
export function shiftLines(lines: LineRange, change: DocumentChange): LineRange {
  const { start, end } = change.range;
  const delta = lineDelta(change);
  if (end.line < lines.start || endsBefore(lines.start, change)) {
    return { start: lines.start + delta, end: lines.end + delta };
  }
  if (start.line >= lines.end) return lines;
  const endsAtStart = endsBefore(end.line, change);
  if (lines.start === lines.end) {
    const isWhole = start.character === 0 && end.line > start.line && endsAtStart;
    const line = isWhole ? start.line : start.line + 1;
    return { start: line, end: line };
  }
  const first = Math.min(lines.start, start.line);
  const touched = endsAtStart ? end.line : end.line + 1;
  return { start: first, end: Math.max(first, Math.max(lines.end, touched) + delta) };
}

/** Whether a change crosses an end of a range, so that the range would grow by text from outside. */
export function crossesEnd(lines: LineRange, change: DocumentChange): boolean {
  const { start, end } = change.range;
  if (end.line < lines.start || endsBefore(lines.start, change) || start.line >= lines.end) return false;
  return start.line < lines.start || (end.line >= lines.end && !endsBefore(lines.end, change));
}

/** The number of lines that a change adds. */
function lineDelta({ range: { start, end }, text }: DocumentChange): number {
  return splitLines(text).length - 1 - (end.line - start.line);
}

/** Whether a change ends at the start of a line and leaves the line itself as it is. */
function endsBefore(line: number, { range: { start, end }, text }: DocumentChange): boolean {
  if (end.line !== line || end.character !== 0) return false;
  return text === "" ? start.character === 0 : text.endsWith("\n") || text.endsWith("\r");
}

/** The properties of a document that are used here. */
export interface LineSource {
  readonly lineCount: number;
  lineAt(line: number): { readonly text: string };
}

/** Replaces a range of whole lines with `lines`, which are joined by the document's line ending, and keeps its final newline. */
export function replaceLines(
  document: LineSource,
  { start, end }: LineRange,
  lines: readonly string[],
  eol: string,
): DocumentChange {
  const text = lines.join(eol);
  const startOf = (line: number): Position => ({ line, character: 0 });
  const endOf = (line: number): Position => ({ line, character: document.lineAt(line).text.length });
  if (start < end && lines.length > 0) return { range: { start: startOf(start), end: endOf(end - 1) }, text };
  if (end < document.lineCount) {
    return { range: { start: startOf(start), end: startOf(end) }, text: lines.length > 0 ? text + eol : "" };
  }
  if (start > 0) {
    return { range: { start: endOf(start - 1), end: endOf(end - 1) }, text: lines.length > 0 ? eol + text : "" };
  }
  return { range: { start: startOf(0), end: endOf(end - 1) }, text };
}
