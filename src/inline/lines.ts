import { splitLines } from "../text/lines.ts";

/** Whole lines of a document, counted from 0: `start` is the first, `end` the one after the last. */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}

/** What is read of a change of a document. */
export interface LineChange {
  readonly range: {
    readonly start: { readonly line: number; readonly character: number };
    readonly end: { readonly line: number; readonly character: number };
  };
  readonly text: string;
}

/** Where the lines are after a change. Edits before them move them; edits inside stretch or shrink them. */
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

/** Whether a change reaches up to a line and leaves all of it. */
function stopsAtStartOf(line: number, { range: { start, end }, text }: LineChange): boolean {
  if (end.line !== line || end.character !== 0) return false;
  return text === "" ? start.character === 0 : /[\r\n]$/.test(text);
}

function countBreaks(text: string): number {
  return splitLines(text).length - 1;
}
