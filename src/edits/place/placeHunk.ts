import { diffLines, type LineChange } from "../../text/diffLines.ts";
import type { LineRange } from "../../text/lineRange.ts";
import { indentOf, isFilled } from "../../text/lines.ts";
import { hunkWithoutNumbers, isOmission } from "../change/flaws.ts";
import type { Hunk } from "../read/operations.ts";
import type { AskedLines, EditProblemKind, LineEdit, Match } from "../types.ts";
import { type Budget, type FileIndex, says } from "./fileIndex.ts";
import { choosePlace, findPlaces, type FoundPlace } from "./findPlaces.ts";
import { readSides } from "./spelling.ts";

/** The changed lines of an edit in its file, or why it has no place. */
export type Placement =
  | { readonly type: "placed"; readonly edits: readonly LineEdit[]; readonly match: Match; readonly around: LineRange }
  | { readonly type: "problem"; readonly kind: EditProblemKind };

export const problem = (kind: EditProblemKind): Placement => ({ type: "problem", kind });

/** Finds the one place of a hunk, and what changes there. */
export function placeHunk(index: FileIndex, hunk: Hunk, asked: AskedLines | undefined, budget: Budget): Placement {
  if (hunk.old.length === 0) return insertAtEnd(index, hunk);
  const old = hunk.old.map(({ text }) => text);
  const found = findPlaces(index, old, budget);
  if (found === "tooComplex") return problem("tooComplex");
  const isAbridged = !found && old.some(isOmission);
  // Lines without any mark show where others are, or they have lost their marks.
  if (hunk.marked?.length === 0) return problem(found || isAbridged ? "noChange" : "notFound");
  if (isAbridged) return problem("ellipsis");
  if (!found) {
    const isThere = hunk.lines.some(says) && (index.find(hunk.lines.filter(isFilled), budget)?.length ?? 0) > 0;
    const bare = isThere ? undefined : hunkWithoutNumbers(hunk);
    return bare ? placeHunk(index, bare, asked, budget) : problem(isThere ? "alreadyApplied" : "notFound");
  }
  const place = choosePlace(index, hunk, found.places, asked);
  return place ? placeAt(index, hunk, place, found.match) : problem("ambiguous");
}

/** A hunk with new lines only, at the end of the file. Elsewhere, nothing tells its place. */
function insertAtEnd(index: FileIndex, { lines, isAtEnd }: Hunk): Placement {
  const { length } = index.file.lines;
  const edit = { start: length, end: length, lines };
  if (lines.length === 0) return problem("noChange");
  if (length > 0 && !isAtEnd) return problem("ambiguous");
  if (isInsertedAlready(index, edit)) return problem("alreadyApplied");
  return { type: "placed", edits: [edit], match: "exact", around: { start: Math.max(0, length - 1), end: length } };
}

/** Whether the lines that a hunk would add stand above or below already. */
function isInsertedAlready({ file }: FileIndex, { start, end, lines }: LineEdit): boolean {
  if (start < end || !lines.some(says)) return false;
  const same = (from: number): boolean =>
    from >= 0 && lines.every((line, offset) => file.lines[from + offset]?.trim() === line.trim());
  return same(start) || same(start - lines.length);
}

/** The changes of a hunk at a place. Unchanged lines stay as the file has them. */
function placeAt(index: FileIndex, hunk: Hunk, { start, end, lineOf }: FoundPlace, match: Match): Placement {
  const { lines } = index.file;
  const inFile = hunk.old.map((_, at) => lines[lineOf[at] ?? -1]);
  const sides = readSides(hunk, inFile, index.style);
  if (!sides) return problem("notFound");
  const edits: LineEdit[] = [];
  for (const change of changesOf(hunk, sides.old, sides.added)) {
    const range = rangeOf(lineOf, change);
    const added = sides.added.slice(change.newStart, change.newEnd);
    const removed = inFile.slice(change.start, change.end).filter((line) => line !== undefined && isFilled(line));
    const isPairwise = removed.length === added.filter(isFilled).length;
    let filled = 0;
    const spelled = added.flatMap((line) => {
      const pair = isPairwise && isFilled(line) ? removed[filled] : undefined;
      if (isFilled(line)) filled += 1;
      return sides.restore(line) ?? (pair === undefined ? [] : indentOf(pair) + line.trimStart());
    });
    if (!range || spelled.length < added.length) return problem("notFound");
    if (!areSame(lines.slice(range.start, range.end), spelled)) edits.push({ ...range, lines: spelled });
  }
  if (edits.length === 0) return problem("noChange");
  if (edits.some((edit) => isInsertedAlready(index, edit))) return problem("alreadyApplied");
  const isLike = match === "exact" || (match === "indentation" && sides.isShift);
  return { type: "placed", edits, match: isLike ? match : "whitespace", around: { start, end } };
}

/** The changes of a hunk. Lines that are marked as context never change. */
function changesOf({ marked }: Hunk, old: readonly string[], lines: readonly string[]): readonly LineChange[] {
  if (!marked) return diffLines(old, lines);
  return marked.flatMap(({ start, end, newStart, newEnd }) =>
    diffLines(old.slice(start, end), lines.slice(newStart, newEnd)).map((change) => ({
      start: change.start + start,
      end: change.end + start,
      newStart: change.newStart + newStart,
      newEnd: change.newEnd + newStart,
    })),
  );
}

/** The file's lines of a change. `undefined` where blank lines beside it or in it are in the file alone. */
function rangeOf(lineOf: readonly number[], { start, end }: LineChange): LineRange | undefined {
  const above = lineOf.slice(0, start).findLast((line) => line >= 0);
  const below = lineOf.slice(end).find((line) => line >= 0);
  const inside = lineOf.slice(start, end);
  const first = inside[0] ?? (above === undefined ? (below ?? 0) : above + 1);
  const last = first + inside.length;
  const isTold = [...inside, lineOf[start - 1] ?? -1, lineOf[end] ?? -1].some((line) => line >= 0);
  const isSolid = isTold && inside.every((line, offset) => line >= 0 && line === first + offset);
  return isSolid && (above ?? first - 1) === first - 1 && (below ?? last) === last
    ? { start: first, end: last }
    : undefined;
}

function areSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((line, at) => line === other[at]);
}
