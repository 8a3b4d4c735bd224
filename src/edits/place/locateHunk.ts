import { isDeepStrictEqual } from "node:util";
import { diffLines, type LineChange } from "../../text/diffLines.ts";
import type { LineRange } from "../../text/lineRange.ts";
import { indentOf, hasText } from "../../text/lines.ts";
import { isOmission } from "../change/flaws.ts";
import type { EditProblemKind, Hunk, LineEdit, Match, TargetLines } from "../types.ts";
import { type FileIndex, hasWordCharacter } from "./fileIndex.ts";
import { fitHunk, shifted } from "./reindent.ts";

/** The changed lines of an edit, and the old lines with their context, or why it cannot be located. */
export type Placement =
  { readonly edits: readonly LineEdit[]; readonly match: Match; readonly around: LineRange } | EditProblemKind;

/** Finds the only place of a hunk, and the changes there. */
export function locateHunk(index: FileIndex, hunk: Hunk, target: TargetLines | undefined): Placement {
  const { old, lines, marked } = hunk;
  if (old.length === 0) return insertAtEnd(index, hunk);
  const found = findPlaces(index, old);
  if (found === "tooComplex") return found;
  const isAbbreviated = !found && old.some((line) => isOmission(line));
  // A hunk without changes quotes the code around others, or has lost its marks.
  if (marked?.length === 0) return found || isAbbreviated ? "noChange" : "notFound";
  if (isAbbreviated) return "ellipsis";
  if (!found) {
    const isApplied = lines.some(hasWordCharacter) && index.find(lines.filter(hasText))?.length === 1;
    return isApplied ? "alreadyApplied" : "notFound";
  }
  const place = choosePlace(index, hunk, found.places, target);
  return place ? editsAt(index, hunk, place, found.match) : "ambiguous";
}

/** Places a hunk without old lines at the end of the file. Anywhere else, its place would be a guess. */
function insertAtEnd(index: FileIndex, { lines, isAtEnd }: Hunk): Placement {
  const { length } = index.file.lines;
  const edit = { start: length, end: length, lines };
  if (lines.length === 0) return "noChange";
  if (length > 0 && !isAtEnd) return "ambiguous";
  if (isAlreadyInserted(index, edit, edit)) return "alreadyApplied";
  return { edits: [edit], match: "exact", around: { start: Math.max(0, length - 1), end: length } };
}

/** Whether the lines to insert are already above or below. Where the hunk has `quoted` them, it wants them twice. */
function isAlreadyInserted({ file }: FileIndex, { start, end, lines }: LineEdit, quoted: LineRange): boolean {
  if (start < end || !lines.some(hasWordCharacter)) return false;
  const same = (from: number): boolean =>
    (from < quoted.start || from + lines.length > quoted.end) &&
    lines.every((line, offset) => file.lines[from + offset]?.trim() === line.trim());
  return same(start) || same(start - lines.length);
}

/** The changes of a hunk at a place. Unchanged lines are those of the file. */
function editsAt(index: FileIndex, hunk: Hunk, { start, end, lineOf }: FoundPlace, match: Match): Placement {
  const { lines } = index.file;
  const inFile = lineOf.map((line) => lines[line]);
  const fitted = fitHunk(hunk, inFile);
  if (!fitted) return "notFound";
  const edits: LineEdit[] = [];
  for (const change of changesOf(hunk, fitted.old)) {
    const range = rangeOf(lineOf, change);
    const given = hunk.lines.slice(change.newStart, change.newEnd);
    const added = given.map((line) => shifted(fitted.shift, line)).filter((line) => line !== undefined);
    if (!range || added.length < given.length || isOffByOne(index, hunk, added)) return "notFound";
    if (!isDeepStrictEqual(lines.slice(range.start, range.end), added)) edits.push({ ...range, lines: added });
  }
  if (edits.length === 0) return "noChange";
  if (edits.some((edit) => isAlreadyInserted(index, edit, { start, end }))) return "alreadyApplied";
  return { edits, match, around: { start, end } };
}

/** Whether the indentation of inserted lines is one space off the file's, because it may include the space after a mark. */
function isOffByOne(index: FileIndex, { marked = [] }: Hunk, added: readonly string[]): boolean {
  const first = added.find(hasText) ?? "*";
  const isOnlyAdded = marked.length > 0 && marked.every(({ start, end }) => start === end);
  if (!isOnlyAdded || first.trimStart().startsWith("*")) return false;
  const [indent, { indents }] = [indentOf(first), index];
  return (
    !indents.has(indent) && (indents.has(` ${indent}`) || (indent.startsWith(" ") && indents.has(indent.slice(1))))
  );
}

/** The changes of a hunk. Lines that are marked as context never change. */
function changesOf({ marked, lines }: Hunk, old: readonly string[]): readonly LineChange[] {
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

/** The lines of the file that a change replaces. `undefined` if the file has other blank lines in or beside them. */
function rangeOf(lineOf: readonly number[], { start, end }: LineChange): LineRange | undefined {
  const isKnown = (line: number): boolean => line >= 0;
  const above = lineOf.slice(0, start).findLast(isKnown);
  const below = lineOf.slice(end).find(isKnown);
  const inside = lineOf.slice(start, end);
  const first = inside[0] ?? (above === undefined ? (below ?? 0) : above + 1);
  const last = first + inside.length;
  const isSolid = [above ?? first - 1, ...inside, below ?? last].every((line, at) => line === first - 1 + at);
  return isSolid && lineOf.slice(Math.max(0, start - 1), end + 1).some(isKnown)
    ? { start: first, end: last }
    : undefined;
}

/** A place of old lines, with the number of each in the file; -1 for blank lines that the file does not have. */
interface FoundPlace extends LineRange {
  readonly lineOf: readonly number[];
}

/** The parts of lines that have to be equal, from all of a line to a line without whitespace around it. */
const normalizers: readonly (readonly [Match, (line: string) => string])[] = [
  ["exact", (line) => line],
  ["whitespace", (line) => line.trimEnd()],
  ["indentation", (line) => line.trim()],
];

/** Finds the places of old lines. Each step ignores more whitespace than the one before; the first with a result decides. */
function findPlaces(
  index: FileIndex,
  old: readonly string[],
): { readonly places: readonly FoundPlace[]; readonly match: Match } | "tooComplex" | undefined {
  const { lines } = index.file;
  const filled = old.flatMap((text, at) => (hasText(text) ? [at] : []));
  const starts = index.find(old.filter(hasText));
  // Checking a place takes as long as 20 comparisons, and each of its lines as long as four.
  if (starts === undefined || !index.steps.take(starts.length * (20 + 4 * old.length))) return "tooComplex";
  const all = starts.map((start) => placeAt(index, old, filled, start));
  for (const [match, normalize] of normalizers) {
    const places = all.filter(({ start, lineOf }) =>
      lineOf.every((line, at) => line === start + at && normalize(old[at] ?? "") === normalize(lines[line] ?? "")),
    );
    if (places.length > 0) return { places, match };
  }
  return all.length > 0 && old.some(hasWordCharacter) ? { places: all, match: "whitespace" } : undefined;
}

/**
 * Chooses the only place that is below the anchors of a hunk, at the end of the file if the hunk says so, or in the target
 * lines. The order of hunks is ignored, because models swap them.
 */
function choosePlace(
  index: FileIndex,
  { anchors, isAtEnd }: Hunk,
  places: readonly FoundPlace[],
  target: TargetLines | undefined,
): FoundPlace | undefined {
  const only = (ones: readonly FoundPlace[]): FoundPlace | undefined => (ones.length === 1 ? ones[0] : undefined);
  if (places.length <= 1) return places[0];
  if (isAtEnd) return only(places.filter(({ end }) => end === index.file.lines.length));
  const scope = anchors.length > 0 ? scopeOf(index, anchors) : undefined;
  const below = scope ? places.filter(({ start, end }) => start >= scope.start && end <= scope.end) : [];
  if (below.length === 1 || !target) return only(below);
  const left = below.length > 0 ? below : places;
  const inside = left.filter(({ start, end }) => start >= target.start && end <= target.end);
  return only(inside.length > 0 ? inside : left.filter(({ start, end }) => start < target.end && end > target.start));
}

/** The place whose lines with text start at a position. A blank line is in the file if there is one below the line before it. */
function placeAt(
  { nonBlank, file }: FileIndex,
  old: readonly string[],
  textAt: readonly number[],
  start: number,
): FoundPlace {
  const lineOf = old.map(() => -1);
  for (const [offset, at] of textAt.entries()) lineOf[at] = nonBlank[start + offset] ?? -1;
  const isBlank = (line: number): boolean => file.lines[line] !== undefined && !hasText(file.lines[line]);
  const alignBlank = (at: number, beside: number | undefined, step: 1 | -1): void => {
    if (lineOf[at] === -1 && beside !== undefined && beside >= 0 && isBlank(beside + step)) lineOf[at] = beside + step;
  };
  for (const at of old.keys()) alignBlank(at, lineOf[at - 1], 1);
  for (let at = (textAt[0] ?? 0) - 1; at >= 0; at -= 1) alignBlank(at, lineOf[at + 1], -1);
  const known = lineOf.filter((line) => line >= 0);
  return { start: known[0] ?? 0, end: (known.at(-1) ?? 0) + 1, lineOf };
}

/** The class, function or section that the anchors name, each inside of the one before. `undefined` if it is not unique. */
function scopeOf(index: FileIndex, anchors: readonly string[]): LineRange | undefined {
  const { lines } = index.file;
  let [start, end] = [-1, lines.length];
  for (const anchor of anchors) {
    const [line, ...others] = index.linesLike(anchor).filter((at) => at > start && at < end);
    if (line === undefined || others.length > 0 || !index.steps.take(2 * lines.length)) return undefined;
    // In text without indentation, everything below belongs to the anchor.
    const endOfOwn = endOfScope(lines, line);
    [start, end] = [line, lines.slice(line + 1, endOfOwn).some(hasText) ? Math.min(endOfOwn, end) : end];
  }
  return { start, end };
}

/** The end of what a line begins: the next line that is not indented more, and does not close a bracket. */
function endOfScope(lines: readonly string[], start: number): number {
  const width = indentOf(lines[start] ?? "").length;
  const end = lines.findIndex((line, at) => {
    return at > start && /^\s*[^\s)\]}{]/.test(line) && indentOf(line).length <= width;
  });
  return end < 0 ? lines.length : end;
}
