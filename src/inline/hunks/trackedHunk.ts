import type { LineRange } from "../../text/lineRange.ts";
import type { Decision } from "../answer/decisions.ts";

/** The properties of a document that are used here. */
export interface LineReader {
  readonly lineCount: number;
  lineAt(line: number): { readonly text: string };
}

/** Lines that an answer has replaced. */
export interface TrackedHunk {
  readonly id: string;
  /** The lines that were there before. */
  readonly before: readonly string[];
  /** The lines that took their place. */
  readonly after: readonly string[];
  /** Whether the new lines occurred only once in the document when they were inserted. */
  wasUnique: boolean;
  decision: Decision;
  /** The current range of the lines. */
  lines: LineRange;
  /** Where the lines were before edits that changed their number, for when these are undone. */
  earlier: readonly EarlierPlace[];
}

/** A range in a document that had this many lines. */
export interface EarlierPlace {
  readonly lines: LineRange;
  readonly lineCount: number;
}

/** The state of all hunks of a document at one point of its undo history. */
export interface Snapshot {
  readonly lineCount: number;
  readonly places: readonly HunkState[];
}

/** The state of a hunk, and the text at its place. */
interface HunkState {
  readonly hunk: TrackedHunk;
  readonly decision: Decision;
  readonly lines: LineRange;
  readonly texts: readonly string[];
}

/** The lines of a document; stops at its end. */
export function linesIn(document: LineReader, { start, end }: LineRange): readonly string[] {
  const texts: string[] = [];
  for (let line = start; line < end && line < document.lineCount; line += 1) texts.push(document.lineAt(line).text);
  return texts;
}

/** Whether a document has these lines at this place. */
export function stands(document: LineReader, start: number, texts: readonly string[]): boolean {
  if (start < 0 || start + texts.length > document.lineCount) return false;
  return texts.every((text, index) => document.lineAt(start + index).text === text);
}

export function snapshotOf(document: LineReader, hunks: Iterable<TrackedHunk>): Snapshot {
  const places = Array.from(hunks, (hunk) => {
    return { hunk, decision: hunk.decision, lines: hunk.lines, texts: linesIn(document, hunk.lines) };
  });
  return { lineCount: document.lineCount, places };
}

/** Whether a document is back at a snapshot, as far as its hunks are concerned. */
export function isAt(document: LineReader, { lineCount, places }: Snapshot): boolean {
  return document.lineCount === lineCount && places.every(({ lines, texts }) => stands(document, lines.start, texts));
}

/** Sets all hunks to a snapshot. What was accepted since stays accepted. */
export function restore({ places }: Snapshot): void {
  for (const { hunk, decision, lines } of places) {
    hunk.lines = lines;
    hunk.earlier = [];
    if (decision !== "open" || hunk.decision !== "accepted") hunk.decision = decision;
  }
}

/** A hunk in a document. The documents are only compared. */
interface PlacedHunk {
  readonly document: object;
  readonly hunk: Pick<TrackedHunk, "lines">;
}

/** The hunk whose lines, or whose place if all lines were removed, is at a line. */
export function hunkAt<H extends PlacedHunk>(hunks: readonly H[], line: number, lineCount: number): H | undefined {
  return hunks.find(({ hunk: { lines } }) => {
    const start = Math.min(lines.start, lineCount - 1);
    return start <= line && line < Math.max(lines.end, start + 1);
  });
}

/**
 * The next (1) or previous (-1) hunk from another one or from a line. After the last of a document comes the first of the
 * next document. The hunks of a document stand together, from top to bottom.
 */
export function hunkFrom<H extends PlacedHunk>(
  hunks: readonly H[],
  step: 1 | -1,
  from: H | { readonly document: object | undefined; readonly line: number },
): H | undefined {
  if (!("line" in from)) return hunks.at((hunks.indexOf(from) + step) % hunks.length);
  const isHere = ({ document }: H): boolean => document === from.document;
  const first = hunks.findIndex(isHere);
  if (first < 0) return hunks.at(step > 0 ? 0 : -1);
  const below = hunks.findIndex((one) => isHere(one) && one.hunk.lines.start > from.line);
  const next = below < 0 ? hunks.findLastIndex(isHere) + 1 : below;
  return hunks.at((step > 0 ? next : next - 1) % hunks.length);
}
