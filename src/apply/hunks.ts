import { isDeepStrictEqual } from "node:util";
import { FileText } from "../edits/change/fileText.ts";
import type { LineChange } from "../text/diffLines.ts";
import { lineHunks } from "../text/lineHunks.ts";
import type { LineRange } from "../text/lineRange.ts";
import { LineMap } from "./lineMap.ts";

/**
 * The state of a hunk. It is `open` where its new lines are in the text, `undone` where the lines before are, and `changed`
 * where neither are, so that it can only be accepted.
 */
export type HunkState = "open" | "accepted" | "undone" | "changed";

/** Lines that an edit has replaced in a file. */
export interface AppliedHunk {
  /** Its first line in the text after the edit. */
  readonly key: number;
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly state: HunkState;
  /** Where it is in the text as it is now. */
  readonly lines: LineRange;
}

type Position = Pick<AppliedHunk, "state" | "lines">;

/** Whether a hunk is neither accepted nor undone. */
export function isUndecided({ state }: Pick<AppliedHunk, "state">): boolean {
  return state === "open" || state === "changed";
}

/** The text of a file before and after an edit. */
export interface EditedText {
  readonly before: string;
  readonly after: string;
}

/**
 * The hunks of an edited text. State and position of each follow from the texts before, after, and now, so no
 * event has to be tracked.
 */
export class Hunks {
  readonly #before: FileText;
  readonly #after: FileText;
  readonly #changes: readonly LineChange[];

  constructor({ before, after }: EditedText) {
    this.#before = new FileText(before);
    this.#after = new FileText(after);
    this.#changes = lineHunks(this.#before.lines, this.#after.lines);
  }

  /** The keys of all hunks. */
  get keys(): readonly number[] {
    return this.#changes.map(({ newStart }) => newStart);
  }

  /** The hunks in the text as it is now. */
  locate(text: string, accepted: ReadonlySet<number>): readonly AppliedHunk[] {
    const [before, after] = [this.#before.lines, this.#after.lines];
    const positionOf = this.#positionsIn(new FileText(text).lines);
    return this.#changes.map((change) => {
      const { lines, state } = positionOf(change);
      const key = change.newStart;
      return {
        key,
        before: before.slice(change.start, change.end),
        after: after.slice(change.newStart, change.newEnd),
        lines,
        state: accepted.has(key) ? "accepted" : state,
      };
    });
  }

  #positionsIn(now: readonly string[]): (change: LineChange) => Position {
    const [before, after] = [this.#before.lines, this.#after.lines];
    // While nothing else has changed, even repeated lines are unambiguous.
    if (isDeepStrictEqual(now, before)) return (change) => ({ state: "undone", lines: sidesOf(change)[0] });
    const certain = this.#certainPositionsIn(now);
    let [exact, loose]: (HunkLocator | undefined)[] = [];
    return (change) => {
      const known = certain?.get(change);
      if (known) return known;
      exact ??= new HunkLocator(before, after, now);
      const position = exact.find(change);
      const [old, own] = [before.slice(change.start, change.end), after.slice(change.newStart, change.newEnd)];
      const isOnlySpace = isDeepStrictEqual(old.map(withoutWhitespace), own.map(withoutWhitespace));
      if (isOnlySpace || exact.isUnambiguous(change, position)) return position;
      // A formatter changes whitespace.
      loose ??= new HunkLocator(
        before.map(withoutWhitespace),
        after.map(withoutWhitespace),
        now.map(withoutWhitespace),
      );
      const other = loose.find(change);
      return exact.contradicts(change, other) ? { ...other, state: "changed" } : combined(position, other);
    };
  }

  /** The positions in a text that is as the edit has left it, except for hunks that were undone. `undefined` for other texts. */
  #certainPositionsIn(now: readonly string[]): ReadonlyMap<LineChange, Position> | undefined {
    const [before, after] = [this.#before.lines, this.#after.lines];
    const positions = new Map<LineChange, Position>();
    let start = this.#changes[0]?.newStart ?? 0;
    if (!isDeepStrictEqual(now.slice(0, start), after.slice(0, start))) return undefined;
    for (const [index, change] of this.#changes.entries()) {
      const next = this.#changes[index + 1];
      const below = after.slice(change.newEnd, next?.newStart);
      const [old, own] = [before.slice(change.start, change.end), after.slice(change.newStart, change.newEnd)];
      const lines = [own, old].find((side) => {
        const end = next && start + side.length + below.length;
        return isDeepStrictEqual(now.slice(start, end), [...side, ...below]);
      });
      if (!lines) return undefined;
      const end = start + lines.length;
      positions.set(change, { state: lines === own ? "open" : "undone", lines: { start, end } });
      start = end + below.length;
    }
    return positions;
  }

  /** The text before the edit with some of its hunks. */
  textWith(keys: ReadonlySet<number>): string {
    const chosen = this.#changes.filter(({ newStart }) => keys.has(newStart));
    if (chosen.length === this.#changes.length) return this.#after.text;
    const { lines } = this.#after;
    return this.#before.replace(
      chosen.map((change) => ({ ...change, lines: lines.slice(change.newStart, change.newEnd) })),
    );
  }

  /** Whether a text is the one after the edit, except for hunks that were undone. */
  hasOnlyUndone(text: string): boolean {
    const remaining = this.locate(text, new Set()).filter(({ state }) => state !== "undone");
    return this.textWith(new Set(remaining.map(({ key }) => key))) === text;
  }
}

function withoutWhitespace(line: string): string {
  return line.replace(/\s+/g, "");
}

/** Locates hunks in the text as it is now, by the lines that it shares with the texts before and after the edit. */
class HunkLocator {
  readonly #before: LineMap;
  readonly #after: LineMap;

  constructor(before: readonly string[], after: readonly string[], now: readonly string[]) {
    this.#before = new LineMap(before, now);
    this.#after = new LineMap(after, now);
  }

  find(change: LineChange): Position {
    const [before, after] = sidesOf(change);
    const [hasAfter, hasBefore] = [this.#after.hasRange(after), this.#before.hasRange(before)];
    // If both match, one of them consists of lines that are not unique.
    const isOpen = hasAfter && (!hasBefore || this.#after.hasUniqueLine(after));
    const isUndone = hasBefore && (!hasAfter || this.#before.hasUniqueLine(before));
    if (isUndone && !isOpen) return { state: "undone", lines: this.#before.positionOf(before) };
    return { state: isOpen && !isUndone ? "open" : "changed", lines: this.#after.positionOf(after) };
  }

  /** Whether the new lines of a hunk seem to be at another position. */
  contradicts({ newStart, newEnd }: LineChange, { state, lines }: Position): boolean {
    const after = { start: newStart, end: newEnd };
    if (state !== "open" || this.#after.changeOf(after)) return false;
    return this.#after.positionOf(after).start !== lines.start;
  }

  /** Whether a hunk has a line that occurs only once. */
  isUnambiguous(change: LineChange, { state }: Position): boolean {
    const [before, after] = sidesOf(change);
    return state === "open"
      ? this.#after.hasUniqueLine(after)
      : state === "undone" && this.#before.hasUniqueLine(before);
  }
}

function sidesOf({ start, end, newStart, newEnd }: LineChange): readonly [before: LineRange, after: LineRange] {
  return [
    { start, end },
    { start: newStart, end: newEnd },
  ];
}

/**
 * The position of a hunk whose exact match was ambiguous, so that the match without whitespace decides. If one of them is open
 * and the other undone, the hunk is undone.
 */
function combined(exact: Position, loose: Position): Position {
  if (exact.state === "changed" || loose.state === "changed") return loose;
  return exact.state === loose.state || exact.state === "undone" ? exact : loose;
}
