import type { LineRange } from "../../text/lineRange.ts";

/** The user's decision on a hunk. */
export type Decision = "open" | "kept" | "undone";

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
  readonly places: readonly Place[];
}

/** The state of a hunk, and the text at its place. */
interface Place {
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

/** Sets all hunks to a snapshot. What was kept since stays kept. */
export function restore({ places }: Snapshot): void {
  for (const { hunk, decision, lines } of places) {
    hunk.lines = lines;
    hunk.earlier = [];
    if (decision !== "open" || hunk.decision !== "kept") hunk.decision = decision;
  }
}
