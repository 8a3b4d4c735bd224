import { diffLines, type LineChange } from "../../text/diffLines.ts";
import type { LineRange } from "../../text/lineRange.ts";
import { indentOf, isFilled } from "../../text/lines.ts";
import { isEllipsis } from "../change/omissions.ts";
import type { Hunk } from "../read/operations.ts";
import type { AskedLines, EditProblemKind, LineEdit, Match } from "../types.ts";
import type { Budget, FileIndex } from "./fileIndex.ts";
import { choosePlace, findPlaces, type FoundPlace, says } from "./findPlaces.ts";
import { hunkWithoutNumbers } from "./lineNumbers.ts";
import { readSides } from "./readSides.ts";
import { anchorLine } from "./scope.ts";

/** The changed lines of an edit in its file, or why it has no place. */
export type Placement =
  | { readonly type: "placed"; readonly edits: readonly LineEdit[]; readonly match: Match; readonly around: LineRange }
  | { readonly type: "problem"; readonly kind: EditProblemKind };

const problem = (kind: EditProblemKind): Placement => ({ type: "problem", kind });

/**
 * Finds the places of a hunk that an answer has `times` times: as many as there are places, or one. Of several ways to
 * read it, the only one that has a place is meant.
 */
export function placeHunk(
  index: FileIndex,
  readings: readonly Hunk[],
  asked: AskedLines | undefined,
  budget: Budget,
  times = 1,
): readonly Placement[] {
  const all = readings.map((hunk) => {
    const placements = placeReading(index, hunk, asked, budget, times);
    return hunk.isTorn === true && placements[0]?.type === "placed" ? [problem("malformed")] : placements;
  });
  const placed = all.filter((placements) => placements.every(({ type }) => type === "placed"));
  return placed.length > 1 ? [problem("ambiguous")] : (placed[0] ?? all[0] ?? [problem("malformed")]);
}

function placeReading(
  index: FileIndex,
  hunk: Hunk,
  asked: AskedLines | undefined,
  budget: Budget,
  times: number,
): readonly Placement[] {
  if (hunk.old.length === 0) return [insertOnly(index, hunk)];
  const found = findPlaces(index, hunk, budget);
  if (found === "tooComplex") return [problem("tooComplex")];
  const reason = found ? "noChange" : reasonNotFound(index, hunk, budget);
  // Lines without any mark show where others are, or they have lost their marks.
  if (hunk.marked?.length === 0) return [problem(reason === "ellipsis" ? "noChange" : reason)];
  if (!found) {
    const bare = reason === "notFound" ? hunkWithoutNumbers(hunk) : undefined;
    return bare ? placeReading(index, bare, asked, budget, times) : [problem(reason)];
  }
  const { places, match } = found;
  const areApart = places.every(({ start }, at) => at === 0 || start >= (places[at - 1]?.end ?? 0));
  if (times > 1 && places.length === times && areApart) {
    return places.map((place) => placeAt(index, hunk, place, match));
  }
  const place = choosePlace(index, hunk, places, asked);
  return [place ? placeAt(index, hunk, place, match) : problem("ambiguous")];
}

/** A hunk with new lines only: at the end of the file, or below the line that its anchors name. */
function insertOnly(index: FileIndex, { lines, anchors, isAtEnd }: Hunk): Placement {
  const { length } = index.file.lines;
  const anchor = anchors.length > 0 ? anchorLine(index, anchors) : undefined;
  const at = length === 0 || isAtEnd ? length : anchor === undefined ? undefined : anchor + 1;
  if (at === undefined) return problem(anchors.length > 0 ? "notFound" : "ambiguous");
  const edit = { start: at, end: at, lines };
  if (lines.length === 0) return problem("noChange");
  if (isInsertedAlready(index, edit)) return problem("alreadyApplied");
  return { type: "placed", edits: [edit], match: "exact", around: { start: Math.max(0, at - 1), end: at } };
}

/** Whether the lines that a hunk would add stand above or below already. */
function isInsertedAlready({ file }: FileIndex, { start, end, lines }: LineEdit): boolean {
  if (start < end || !lines.some(says)) return false;
  const same = (from: number): boolean =>
    from >= 0 && lines.every((line, offset) => file.lines[from + offset]?.trim() === line.trim());
  return same(start) || same(start - lines.length);
}

function reasonNotFound(index: FileIndex, { old, lines }: Hunk, budget: Budget): EditProblemKind {
  if (old.some(({ text }) => isEllipsis(text))) return "ellipsis";
  const isThere = lines.some(says) && (index.find(lines.filter(isFilled), budget)?.length ?? 0) > 0;
  return isThere ? "alreadyApplied" : "notFound";
}

/**
 * The changes of a hunk at a place. Unchanged lines stay as the file has them; new lines are spelled as it spells others.
 */
function placeAt(index: FileIndex, hunk: Hunk, { start, end, lineOf }: FoundPlace, match: Match): Placement {
  const { lines } = index.file;
  const inFile = hunk.old.map((_, at) => lines[lineOf[at] ?? -1]);
  const sides = readSides(hunk, inFile, index.style);
  if (!sides) return problem("notFound");
  const { old, added, spelling } = sides;
  const edits: LineEdit[] = [];
  for (const change of changesOf(hunk, old, added)) {
    const range = rangeOf(hunk, lineOf, change, added);
    const news = added.slice(change.newStart, change.newEnd);
    const removed = inFile.slice(change.start, change.end).filter((line) => line !== undefined && isFilled(line));
    const isPairwise = removed.length === news.filter(isFilled).length;
    let filled = 0;
    const spelled = news.map((line) => {
      const pair = isPairwise && isFilled(line) ? removed[filled] : undefined;
      if (isFilled(line)) filled += 1;
      return spelling.restore(line) ?? (pair === undefined ? undefined : indentOf(pair) + line.trimStart());
    });
    const known = spelled.filter((line) => line !== undefined);
    if (!range || known.length < news.length) return problem("notFound");
    if (!areSame(lines.slice(range.start, range.end), known)) edits.push({ ...range, lines: known });
  }
  if (edits.length === 0) return problem("noChange");
  if (edits.some((edit) => isInsertedAlready(index, edit))) return problem("alreadyApplied");
  const isLike = match === "exact" || (match === "indentation" && spelling.isShift);
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

/** The file's lines of a change. `undefined` where it is in doubt what happens to blank lines that only one side has. */
function rangeOf(
  { old, marked }: Hunk,
  lineOf: readonly number[],
  { start, end, newStart, newEnd }: LineChange,
  lines: readonly string[],
): LineRange | undefined {
  const placed = lineOf.slice(start, end).filter((line) => line >= 0);
  const above = start > 0 ? (lineOf[start - 1] ?? -1) : undefined;
  const below = end < old.length ? (lineOf[end] ?? -1) : undefined;
  const [first, last] = [placed[0], placed.at(-1)];
  if (first === undefined || last === undefined) {
    const isBelow = below !== undefined && below >= 0;
    const at = above !== undefined && above >= 0 ? above + 1 : below;
    return start < end || at === undefined || at < 0 || (isBelow && at !== below) ? undefined : { start: at, end: at };
  }
  // A blank line between them that only the file has may have to stay.
  if (last + 1 - first > end - start) return undefined;
  const isOff = (above !== undefined && above + 1 !== first) || (below !== undefined && below !== last + 1);
  const isDoubtful = isOff || placed.length < end - start;
  // Where removed lines have marks, those without stay.
  const isOneSided =
    !old.slice(start, end).some(({ text }) => isFilled(text)) || !lines.slice(newStart, newEnd).some(isFilled);
  return isDoubtful && marked === undefined && isOneSided ? undefined : { start: first, end: last + 1 };
}

function areSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((line, at) => line === other[at]);
}
