import type { LineEdit } from "../../edits/types.ts";
import {
  countBreaks,
  type DocumentChange,
  lineDelta,
  type LineRange,
  type LineReader,
  reshapes,
  shiftLines,
} from "../../text/lineRange.ts";
import { onlyStart } from "../ask/locate.ts";

/** The user's decision on a hunk. */
export type Decision = "open" | "accepted" | "undone";

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
}

/** A hunk that is not applied yet. */
export function newHunk(document: LineReader, { start, end, lines }: LineEdit): TrackedHunk {
  const range = { start, end };
  const before = linesIn(document, range);
  return { id: crypto.randomUUID(), before, after: lines, wasUnique: false, decision: "undone", lines: range };
}

/** The state of some hunks, with the text at their places, at one point of a document's undo history. */
interface Snapshot {
  readonly lineCount: number;
  readonly places: readonly (Pick<TrackedHunk, "decision" | "lines"> & {
    readonly hunk: TrackedHunk;
    readonly texts: readonly string[];
  })[];
}

/** A change to recognize when the editor undoes it. One by the extension has an `after` and is recognized on redo, too. */
interface Step {
  readonly before: Snapshot;
  readonly after?: Snapshot;
}

/** Maximum number of changes that are recognized. */
const mostSteps = 100;

/** Follows the hunks of one document through typing, undo and redo. Has no dependency on VS Code. */
export class HunkTracker<H extends TrackedHunk = TrackedHunk> {
  readonly #document: LineReader;
  #hunks: readonly H[] = [];
  /** In the order they were made. */
  #done: readonly Step[] = [];
  /** Steps that the editor has undone, in the same order. */
  #undone: readonly Step[] = [];

  constructor(document: LineReader) {
    this.#document = document;
  }

  /** Follows hunks that stand in the document already. */
  add(hunks: readonly H[]): void {
    this.#hunks = [...this.#hunks, ...hunks];
  }

  /** The hunks that are open, or that the editor's undo and redo may open again. */
  get all(): readonly H[] {
    return this.#hunks;
  }

  /** The hunks without a decision, from top to bottom. */
  get open(): readonly H[] {
    return inOrder(this.#hunks.filter(({ decision }) => decision === "open"));
  }

  /** Prepares to apply or undo hunks, in order and without overlaps. `done` is to be called right after the `edits`. */
  replacing(
    hunks: readonly H[],
    decision: "open" | "undone",
  ): { readonly edits: readonly LineEdit[]; readonly done: () => void } {
    const all = [...new Set([...this.#hunks, ...hunks])];
    const before = this.#snapshot(all);
    const edits = hunks.map((hunk) => ({ ...hunk.lines, lines: decision === "open" ? hunk.after : hunk.before }));
    const done = (): void => {
      for (const { hunk, lines } of before.places) hunk.lines = shifted(lines, edits);
      let delta = 0;
      for (const [index, { start, end, lines }] of edits.entries()) {
        const hunk = hunks[index];
        if (hunk) hunk.lines = { start: start + delta, end: start + delta + lines.length };
        if (hunk) hunk.decision = decision;
        delta += lines.length - (end - start);
      }
      if (decision === "open") {
        const texts = linesIn(this.#document, { start: 0, end: this.#document.lineCount });
        for (const hunk of hunks) hunk.wasUnique = onlyStart(texts, hunk.after) !== undefined;
      }
      this.#done = [...this.#done, { before, after: this.#snapshot(all) }].slice(-mostSteps);
      this.#undone = [];
      const known = new Set(this.#done.flatMap(({ before: { places } }) => places.map(({ hunk }) => hunk)));
      this.#hunks = all.filter((hunk) => hunk.decision === "open" || known.has(hunk));
    };
    return { edits, done };
  }

  /**
   * Updates the hunks after any other change of the document. Reads only lines of hunks, and only for undo and redo. They
   * are `decided` if one was undone or brought back, and `reshaped` if line breaks came or went in one: else VS Code has
   * moved the highlights with the text.
   */
  follow(contentChanges: readonly DocumentChange[], reason?: "undo" | "redo"): "decided" | "reshaped" | undefined {
    if (this.#hunks.length === 0) return undefined;
    const changes = contentChanges.map(({ range, text }) => ({ range, text, breaks: countBreaks(text) }));
    const lineCount = changes.reduce((count, change) => count - lineDelta(change), this.#document.lineCount);
    const touched = new Set<TrackedHunk>();
    const cut: Snapshot["places"][number][] = [];
    for (const hunk of this.#hunks) {
      const { lines, decision, after: texts } = hunk;
      let isCut = false;
      for (const change of changes) {
        isCut ||= reshapes(hunk.lines, change);
        if (adjoins(hunk.lines, change)) touched.add(hunk);
        hunk.lines = shiftLines(hunk.lines, change);
      }
      if (isCut) cut.push({ hunk, decision, lines, texts });
    }
    const step = reason && (reason === "undo" ? this.#undo(touched) : this.#redo());
    if (step) return step.after ? "decided" : "reshaped";
    // VS Code forgets what could be redone after an edit, too.
    if (reason === undefined && this.#undone.length > 0) this.#undone = [];
    // Where a hunk is undone, other lines stand than its own.
    const places = cut.filter(({ decision, lines, texts }) => {
      return decision === "open" && lines.end - lines.start === texts.length;
    });
    if (reason !== "undo" && places.length > 0) {
      this.#done = [...this.#done, { before: { lineCount, places } }].slice(-mostSteps);
    }
    return cut.length > 0 ? "reshaped" : undefined;
  }

  /**
   * Restores the hunks if the editor has undone changes, possibly several at once. Edits of the user touch what they cut.
   * Those of the extension come first: they know all hunks, so equal lines elsewhere are less often taken for theirs.
   */
  #undo(touched: ReadonlySet<TrackedHunk>): Step | undefined {
    const own = this.#done.findLastIndex(({ before, after }) => after && this.#isAt(before));
    const cut = this.#done.findLastIndex(({ before, after }) => {
      return !after && before.places.every(({ hunk }) => touched.has(hunk)) && this.#isAt(before);
    });
    const index = own >= 0 ? own : cut;
    const step = this.#done[index];
    if (!step) return undefined;
    this.#undone = [...this.#done.slice(index), ...this.#undone];
    this.#done = this.#done.slice(0, index);
    restore(step.before);
    return step;
  }

  #redo(): Step | undefined {
    const index = this.#undone.findLastIndex(({ after }) => after && this.#isAt(after));
    const step = this.#undone[index];
    if (!step?.after) return undefined;
    this.#done = [...this.#done, ...this.#undone.slice(0, index + 1)];
    this.#undone = this.#undone.slice(index + 1);
    restore(step.after);
    return step;
  }

  #snapshot(hunks: readonly H[]): Snapshot {
    const places = hunks.map((hunk) => {
      return { hunk, decision: hunk.decision, lines: hunk.lines, texts: linesIn(this.#document, hunk.lines) };
    });
    return { lineCount: this.#document.lineCount, places };
  }

  /** Whether the document is back at a snapshot, as far as its hunks are concerned. */
  #isAt({ lineCount, places }: Snapshot): boolean {
    if (this.#document.lineCount !== lineCount) return false;
    return places.every(({ lines, texts }) => stands(this.#document, lines.start, texts));
  }
}

/** Hunks from top to bottom. */
export function inOrder<H extends Pick<TrackedHunk, "lines">>(hunks: readonly H[]): readonly H[] {
  return hunks.toSorted(({ lines: one }, { lines: other }) => one.start - other.start || one.end - other.end);
}

/** Sets hunks to a snapshot. What was accepted since stays accepted. */
function restore({ places }: Snapshot): void {
  for (const { hunk, decision, lines } of places) {
    hunk.lines = lines;
    if (decision !== "open" || hunk.decision !== "accepted") hunk.decision = decision;
  }
}

/** Whether a change is in or right next to some lines. */
function adjoins(lines: LineRange, { range: { start, end } }: DocumentChange): boolean {
  return start.line <= lines.end && end.line >= lines.start - 1;
}

/** Where lines are once others, above or inside them, were replaced. */
function shifted(lines: LineRange, edits: readonly LineEdit[]): LineRange {
  let { start, end } = lines;
  for (const edit of edits) {
    const delta = edit.lines.length - (edit.end - edit.start);
    if (edit.end <= lines.start) start += delta;
    if (edit.end <= lines.start || edit.start < lines.end) end += delta;
  }
  return { start, end: Math.max(start, end) };
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

/** A hunk in a document. The documents are only compared. */
type PlacedHunk = Pick<TrackedHunk, "lines"> & { readonly document: object };

/** The hunk whose lines, or whose place if all lines were removed, is at a line. */
export function hunkAt<H extends PlacedHunk>(hunks: readonly H[], line: number, lineCount: number): H | undefined {
  return hunks.find(({ lines }) => {
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
  const below = hunks.findIndex((one) => isHere(one) && one.lines.start > from.line);
  const next = below < 0 ? hunks.findLastIndex(isHere) + 1 : below;
  return hunks.at((step > 0 ? next : next - 1) % hunks.length);
}
