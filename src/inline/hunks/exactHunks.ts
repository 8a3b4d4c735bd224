import { type LineHunk, lineHunks } from "./lineHunks.ts";
import { splitLines } from "../../text/lines.ts";
import { type LineReader, linesIn } from "./trackedHunk.ts";

/**
 * Only the lines that differ, from top to bottom; hunks that touch become one. No new line contains a line break. Returns
 * `undefined` for hunks that overlap or are outside the document.
 */
export function exactHunks(document: LineReader, hunks: readonly LineHunk[]): readonly LineHunk[] | undefined {
  const sorted = hunks.toSorted((one, other) => one.start - other.start || one.end - other.end);
  const exact: LineHunk[] = [];
  let last = 0;
  for (const { start, end, lines } of sorted) {
    if (start < last || end < start || end > document.lineCount) return undefined;
    last = end;
    for (const part of lineHunks(linesIn(document, { start, end }), lines.flatMap(splitLines))) {
      const hunk = { start: start + part.start, end: start + part.end, lines: part.lines };
      const before = exact.at(-1);
      if (before?.end !== hunk.start) exact.push(hunk);
      else exact[exact.length - 1] = { start: before.start, end: hunk.end, lines: [...before.lines, ...hunk.lines] };
    }
  }
  return exact;
}
