import { FileText } from "../edits/change/fileText.ts";
import type { LineChange } from "../text/diffLines.ts";
import { lineHunks } from "../text/lineHunks.ts";
import type { LineRange } from "../text/lineRange.ts";
import { LineMap } from "./lineMap.ts";

/**
 * What became of a hunk. It is `open` where its new lines are in the text, `undone` where the lines before are, and `changed`
 * where neither are, so that it can only be accepted.
 */
export type HunkState = "open" | "accepted" | "undone" | "changed";

/** Lines that an edit has replaced in a file. */
export interface Hunk {
  /** Its first line in the text after the edit. */
  readonly key: number;
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly state: HunkState;
  /** Where it is in the text as it is now. */
  readonly lines: LineRange;
}

/** The text of a file before and after an edit. */
export interface EditedText {
  readonly before: string;
  readonly after: string;
  /** The keys of the hunks that the user keeps. */
  readonly accepted: ReadonlySet<number>;
}

/**
 * The hunks of an edited text, with state and place in the text as it is now. Both follow from the texts alone, whatever
 * has happened in between, whether or not anyone was looking.
 */
export function hunksIn({ before, after, accepted }: EditedText, now: string): readonly Hunk[] {
  const [old, own, current] = [before, after, now].map(linesOf);
  if (!old || !own || !current) return [];
  const exact = new Texts(old, own, current);
  // A formatter changes white space.
  const loose = new Texts(old.map(visible), own.map(visible), current.map(visible));
  return lineHunks(old, own).map((change) => {
    const { state, lines } = agreed(exact.find(change), loose.find(change));
    return {
      key: change.newStart,
      before: old.slice(change.start, change.end),
      after: own.slice(change.newStart, change.newEnd),
      state: accepted.has(change.newStart) ? "accepted" : state,
      lines,
    };
  });
}

/** The text before an edit, but with the hunks that the user keeps. */
export function withAccepted({ before, after, accepted }: EditedText): string {
  return withSome({ before, after }, ({ newStart }) => accepted.has(newStart));
}

/** Whether a text is that after an edit, except for hunks that were undone. */
export function isPartOf({ before, after, accepted }: EditedText, now: string): boolean {
  const undone = new Set(
    hunksIn({ before, after, accepted }, now).flatMap((one) => (one.state === "undone" ? one.key : [])),
  );
  return withSome({ before, after }, ({ newStart }) => !undone.has(newStart)) === now;
}

/** The text before an edit with some of its hunks. */
function withSome(
  { before, after }: Pick<EditedText, "before" | "after">,
  isMeant: (change: LineChange) => boolean,
): string {
  const [old, own] = [new FileText(before), new FileText(after)];
  const changes = lineHunks(old.lines, own.lines);
  if (changes.every(isMeant)) return after;
  const edits = changes.filter(isMeant).map(({ start, end, newStart, newEnd }) => {
    return { start, end, lines: own.lines.slice(newStart, newEnd) };
  });
  return old.replace(edits);
}

/** The lines of a text by which hunks are found. */
function linesOf(text: string): readonly string[] {
  return new FileText(text).lines;
}

function visible(line: string): string {
  return line.replace(/\s+/g, "");
}

type Found = Pick<Hunk, "state" | "lines">;

/** A file before and after an edit, and now. */
class Texts {
  readonly #before: LineMap;
  readonly #after: LineMap;

  constructor(before: readonly string[], after: readonly string[], now: readonly string[]) {
    this.#before = new LineMap(before, now);
    this.#after = new LineMap(after, now);
  }

  find({ start, end, newStart, newEnd }: LineChange): Found {
    const [before, after] = [
      { start, end },
      { start: newStart, end: newEnd },
    ];
    const [hasAfter, hasBefore] = [this.#after.hasRange(after), this.#before.hasRange(before)];
    // Where both seem to be there, one of them is made of lines that are everywhere.
    const isOpen = hasAfter && (!hasBefore || this.#after.isMarked(after));
    const isUndone = hasBefore && (!hasAfter || this.#before.isMarked(before));
    if (isUndone && !isOpen) return { state: "undone", lines: this.#before.placeOf(before) };
    return { state: isOpen && !isUndone ? "open" : "changed", lines: this.#after.placeOf(after) };
  }
}

/** What was found of a hunk with and without its white space. Two places are none. */
function agreed(exact: Found, loose: Found): Found {
  if (exact.state === "changed") return loose;
  if (loose.state === "changed") return exact;
  if (exact.state !== loose.state) return exact.state === "undone" ? exact : loose;
  return exact.lines.start === loose.lines.start ? exact : { ...exact, state: "changed" };
}
