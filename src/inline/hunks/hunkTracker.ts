import type { LineEdit } from "../../edits/types.ts";
import {
  countBreaks,
  type DocumentChange,
  lineDelta,
  type LineRange,
  reshapes,
  shiftLines,
} from "../../text/lineRange.ts";
import type { Decision } from "../answer/decisions.ts";
import {
  isAt,
  type LineReader,
  linesIn,
  restore,
  type Snapshot,
  snapshotOf,
  stands,
  type TrackedHunk,
} from "./trackedHunk.ts";

/** Lines of a hunk to replace, and what the replacement means. */
export interface HunkSwap {
  readonly hunk: TrackedHunk;
  readonly range: LineRange;
  readonly lines: readonly string[];
  readonly decision: Decision;
}

/** What a change of the document has changed for its hunks. */
export interface Followed {
  /** Whether a hunk was undone or brought back. */
  readonly isDecided: boolean;
  /** Whether line breaks came or went in a hunk. If not, VS Code has moved its highlight with the text. */
  readonly isReshaped: boolean;
}

/** Maximum number of places of a hunk that are remembered. */
const mostEarlierPlaces = 50;

/** Follows the hunks of one document through typing, undo and redo. Has no dependency on VS Code. */
export class HunkTracker {
  readonly #document: LineReader;
  #hunks: readonly TrackedHunk[] = [];
  readonly #steps: HunkSteps;

  constructor(document: LineReader) {
    this.#document = document;
    this.#steps = new HunkSteps(document);
  }

  /** The hunks without a decision, from top to bottom. */
  get open(): readonly TrackedHunk[] {
    const open = this.#hunks.filter(({ decision }) => decision === "open");
    return open.toSorted((one, other) => one.lines.start - other.lines.start || one.lines.end - other.lines.end);
  }

  /** What replaces the lines of new hunks. The hunks count from when it is done. */
  swapsFor(hunks: readonly LineEdit[]): readonly HunkSwap[] {
    return hunks.map(({ start, end, lines }) => {
      const range = { start, end };
      const before = linesIn(this.#document, range);
      const hunk: TrackedHunk = {
        ...{ id: crypto.randomUUID(), before, after: lines, wasUnique: false, decision: "undone" },
        ...{ lines: range, earlier: [] },
      };
      return { hunk, range, lines, decision: "open" };
    });
  }

  /** The state before a change by the extension. */
  snapshot(swaps: readonly HunkSwap[]): Snapshot {
    return snapshotOf(this.#document, new Set([...this.#hunks, ...swaps.map(({ hunk }) => hunk)]));
  }

  /** Records a change by the extension right after it was made. The swaps are in order and do not overlap. */
  replaced(before: Snapshot, swaps: readonly HunkSwap[]): void {
    const bySwap = new Map(swaps.map((swap) => [swap.hunk, swap]));
    for (const { hunk, lines } of before.places) {
      const swap = bySwap.get(hunk);
      hunk.earlier = [];
      if (swap) hunk.decision = swap.decision;
      hunk.lines = swap ? rangeAfter(swap, swaps) : shifted(lines, swaps);
    }
    this.#hunks = before.places.map(({ hunk }) => hunk);
    this.#steps.add({ before, after: snapshotOf(this.#document, this.#hunks) });
    const known = this.#steps.hunks;
    this.#hunks = this.#hunks.filter((hunk) => hunk.decision === "open" || known.has(hunk));
  }

  /** Updates the hunks after any other change of the document. Reads only lines of hunks, and only for undo and redo. */
  follow(contentChanges: readonly DocumentChange[], reason?: "undo" | "redo"): Followed {
    if (this.#hunks.length === 0) return { isDecided: false, isReshaped: false };
    const changes = contentChanges.map(({ range, text }) => ({ range, text, breaks: countBreaks(text) }));
    const lineCount = changes.reduce((count, change) => count - lineDelta(change), this.#document.lineCount);
    let isReshaped = false;
    if (reason === undefined) this.#steps.forgetUndone();
    const near = new Set<TrackedHunk>();
    for (const hunk of this.#hunks) {
      const { lines } = hunk;
      let isCut = false;
      for (const change of changes) {
        isCut ||= reshapes(hunk.lines, change);
        if (adjoins(hunk.lines, change)) near.add(hunk);
        hunk.lines = shiftLines(hunk.lines, change);
      }
      isReshaped ||= isCut;
      if (isCut && reason !== "undo") {
        hunk.earlier = [...hunk.earlier, { lines, lineCount }].slice(-mostEarlierPlaces);
      }
    }
    const isDecided = reason !== undefined && this.#steps[reason]();
    if (reason === "undo" && !isDecided) for (const hunk of near) isReshaped = this.#return(hunk) || isReshaped;
    return { isDecided, isReshaped };
  }

  /** Returns a hunk to where it was if an edit that cut or stretched it was undone. */
  #return(hunk: TrackedHunk): boolean {
    if (hunk.decision !== "open" || hunk.earlier.length === 0) return false;
    const index = hunk.earlier.findLastIndex(
      ({ lines, lineCount }) =>
        lineCount === this.#document.lineCount &&
        lines.end - lines.start === hunk.after.length &&
        stands(this.#document, lines.start, hunk.after),
    );
    const place = hunk.earlier[index];
    if (!place) return false;
    hunk.lines = place.lines;
    hunk.earlier = hunk.earlier.slice(0, index);
    return true;
  }
}

/** Whether a change is in or right next to some lines. */
function adjoins(lines: LineRange, { range: { start, end } }: DocumentChange): boolean {
  return start.line <= lines.end && end.line >= lines.start - 1;
}

function rangeAfter({ range, lines }: HunkSwap, swaps: readonly HunkSwap[]): LineRange {
  const start = swaps.reduce((sum, swap) => sum + (isBefore(swap.range, range) ? deltaOf(swap) : 0), range.start);
  return { start, end: start + lines.length };
}

/** Whether one range is above another. Of two equal ones, neither is. */
function isBefore(one: LineRange, other: LineRange): boolean {
  return one.end <= other.start && (one.start < other.start || one.end < other.end);
}

function shifted(lines: LineRange, swaps: readonly HunkSwap[]): LineRange {
  let { start, end } = lines;
  for (const swap of swaps) {
    if (swap.range.end <= lines.start) start += deltaOf(swap);
    if (swap.range.end <= lines.start || swap.range.start < lines.end) end += deltaOf(swap);
  }
  return { start, end: Math.max(start, end) };
}

function deltaOf({ range, lines }: HunkSwap): number {
  return lines.length - (range.end - range.start);
}

/** A change by the extension: the state before and after it. */
interface Step {
  readonly before: Snapshot;
  readonly after: Snapshot;
}

/** Maximum number of changes that are recognized. */
const mostSteps = 20;

/** The extension's own changes of a document, to recognize when the editor undoes or redoes them. */
class HunkSteps {
  readonly #document: LineReader;
  /** In the order they were made. */
  #done: readonly Step[] = [];
  /** Steps that the editor has undone, in the same order. */
  #undone: readonly Step[] = [];

  constructor(document: LineReader) {
    this.#document = document;
  }

  /** The hunks that the editor may bring back or take back. */
  get hunks(): ReadonlySet<TrackedHunk> {
    return new Set(this.#done.flatMap(({ after }) => after.places.map(({ hunk }) => hunk)));
  }

  add(step: Step): void {
    this.#done = [...this.#done, step].slice(-mostSteps);
    this.#undone = [];
  }

  /** Forgets what could be redone: VS Code does the same after an edit. */
  forgetUndone(): void {
    if (this.#undone.length > 0) this.#undone = [];
  }

  /** Restores the hunks if the editor has undone changes, possibly several at once. Returns whether it has. */
  undo(): boolean {
    const index = this.#done.findLastIndex(({ before }) => isAt(this.#document, before));
    const step = this.#done[index];
    if (!step) return false;
    this.#undone = [...this.#done.slice(index), ...this.#undone];
    this.#done = this.#done.slice(0, index);
    restore(step.before);
    return true;
  }

  /** The same for redo. */
  redo(): boolean {
    const index = this.#undone.findLastIndex(({ after }) => isAt(this.#document, after));
    const step = this.#undone[index];
    if (!step) return false;
    this.#done = [...this.#done, ...this.#undone.slice(0, index + 1)];
    this.#undone = this.#undone.slice(index + 1);
    restore(step.after);
    return true;
  }
}
