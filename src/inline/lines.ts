import { splitLines } from "../text/lines.ts";

/** A range of whole lines, zero-based; `end` is exclusive. */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}

/** The properties of a document change that are used here. */
export interface LineChange {
  readonly range: {
    readonly start: { readonly line: number; readonly character: number };
    readonly end: { readonly line: number; readonly character: number };
  };
  readonly text: string;
}

/** The range after a change. Edits above shift it; edits inside resize it. */
export function shiftLines(lines: LineRange, change: LineChange): LineRange {
  const { start, end } = change.range;
  const delta = countBreaks(change.text) - (end.line - start.line);
  if (end.line < lines.start || stopsAtStartOf(lines.start, change)) {
    return { start: lines.start + delta, end: lines.end + delta };
  }
  if (start.line >= Math.max(lines.end, lines.start + 1)) return lines;
  const first = Math.min(lines.start, start.line);
  return { start: first, end: Math.max(first, Math.max(lines.end, end.line + 1) + delta) };
}

/** Whether a change ends at the start of a line without touching the line. */
function stopsAtStartOf(line: number, { range: { start, end }, text }: LineChange): boolean {
  if (end.line !== line || end.character !== 0) return false;
  return text === "" ? start.character === 0 : /[\r\n]$/.test(text);
}

function countBreaks(text: string): number {
  return splitLines(text).length - 1;
}
