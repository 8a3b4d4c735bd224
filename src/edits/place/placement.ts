import { isDeepStrictEqual } from "node:util";
import { diffLines, type LineChange } from "../../text/diffLines.ts";
import type { LineRange } from "../../text/lineRange.ts";
import { indentOf, hasText } from "../../text/lines.ts";
import { fenceAround } from "../../text/markdown.ts";
import { isOmission } from "../change/flaws.ts";
import { isMarkdown, type ResolvedPath } from "../read/paths.ts";
import type { AskedLines, Block, EditProblemKind, Hunk, LineEdit, Match } from "../types.ts";
import { type FileIndex, hasWordCharacter } from "./fileIndex.ts";
import { fitBlock, fitHunk } from "./fit.ts";

/** The changed lines of an edit in its file, or why it has no place. */
export type Placement =
  { readonly edits: readonly LineEdit[]; readonly match: Match; readonly around: LineRange } | EditProblemKind;

/** Finds the one place of a hunk, and what changes there. */
export function placeHunk(index: FileIndex, hunk: Hunk, asked: AskedLines | undefined): Placement {
  const { old, lines, marked } = hunk;
  if (old.length === 0) return insertAtEnd(index, hunk);
  const found = findPlaces(index, old);
  if (found === "tooComplex") return found;
  const isAbridged = !found && old.some((line) => isOmission(line));
  // Lines without any mark show where others are, or they have lost their marks.
  if (marked?.length === 0) return found || isAbridged ? "noChange" : "notFound";
  if (isAbridged) return "ellipsis";
  if (!found) {
    const isThere = lines.some(hasWordCharacter) && (index.find(lines.filter(hasText))?.length ?? 0) > 0;
    return isThere ? "alreadyApplied" : "notFound";
  }
  const place = choosePlace(index, hunk, found.places, asked);
  return place ? editsAt(index, hunk, place, found.match) : "ambiguous";
}

/** A hunk with new lines only, at the end of the file. Elsewhere, nothing tells its place. */
function insertAtEnd(index: FileIndex, { lines, isAtEnd }: Hunk): Placement {
  const { length } = index.file.lines;
  const edit = { start: length, end: length, lines };
  if (lines.length === 0) return "noChange";
  if (length > 0 && !isAtEnd) return "ambiguous";
  if (isInsertedAlready(index, edit)) return "alreadyApplied";
  return { edits: [edit], match: "exact", around: { start: Math.max(0, length - 1), end: length } };
}

/** Whether the lines that a hunk would add stand above or below already. */
function isInsertedAlready({ file }: FileIndex, { start, end, lines }: LineEdit): boolean {
  if (start < end || !lines.some(hasWordCharacter)) return false;
  const same = (from: number): boolean =>
    from >= 0 && lines.every((line, offset) => file.lines[from + offset]?.trim() === line.trim());
  return same(start) || same(start - lines.length);
}

/** The changes of a hunk at a place. Unchanged lines stay as the file has them. */
function editsAt(index: FileIndex, hunk: Hunk, { start, end, lineOf }: FoundPlace, match: Match): Placement {
  const { lines } = index.file;
  const fitted = fitHunk(
    hunk,
    lineOf.map((line) => lines[line]),
  );
  if (!fitted) return "notFound";
  const edits: LineEdit[] = [];
  for (const change of changesOf(hunk, fitted.old)) {
    const range = rangeOf(lineOf, change);
    const given = hunk.lines.slice(change.newStart, change.newEnd);
    const added = given.map(fitted.fit).filter((line) => line !== undefined);
    if (!range || added.length < given.length || isOff(index, hunk, added)) return "notFound";
    if (!isDeepStrictEqual(lines.slice(range.start, range.end), added)) edits.push({ ...range, lines: added });
  }
  if (edits.length === 0) return "noChange";
  if (edits.some((edit) => isInsertedAlready(index, edit))) return "alreadyApplied";
  return { edits, match, around: { start, end } };
}

/** Whether lines that are added between others are one blank off what the file has, as a mark may have taken or left one. */
function isOff(index: FileIndex, { marked = [] }: Hunk, added: readonly string[]): boolean {
  const first = added.find(hasText) ?? "*";
  const isOnlyAdded = marked.length > 0 && marked.every(({ start, end }) => start === end);
  if (!isOnlyAdded || first.trimStart().startsWith("*")) return false;
  const [indent, { indents }] = [indentOf(first), index];
  return !indents.has(indent) && (indents.has(`${indent} `) || (indent.endsWith(" ") && indents.has(indent.slice(1))));
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

/** The file's lines of a change. `undefined` where blank lines beside it or in it are in the file alone. */
function rangeOf(lineOf: readonly number[], { start, end }: LineChange): LineRange | undefined {
  const above = lineOf.slice(0, start).findLast((line) => line >= 0);
  const below = lineOf.slice(end).find((line) => line >= 0);
  const inside = lineOf.slice(start, end);
  const first = inside[0] ?? (above === undefined ? (below ?? 0) : above + 1);
  const last = first + inside.length;
  const isTold = [...inside, lineOf[start - 1] ?? -1, lineOf[end] ?? -1].some((line) => line >= 0);
  const isSolid = isTold && inside.every((line, offset) => line >= 0 && line === first + offset);
  if (!isSolid || (above ?? first - 1) !== first - 1 || (below ?? last) !== last) return undefined;
  return { start: first, end: last };
}

/** A place of old lines, with the line of the file for each of them; -1 for blank lines that the file does not have. */
interface FoundPlace extends LineRange {
  readonly lineOf: readonly number[];
}

/** What has to be the same of two lines, from all to what is neither indentation nor white space at the end. */
const normalizers: readonly (readonly [Match, (line: string) => string])[] = [
  ["exact", (line) => line],
  ["whitespace", (line) => line.trimEnd()],
  ["indentation", (line) => line.trim()],
];

/**
 * Finds the places of old lines. Each step ignores more, at last all white space and how characters are written; the
 * first in which there are any decides. "tooComplex" if that takes too long.
 */
function findPlaces(
  index: FileIndex,
  old: readonly string[],
): { readonly places: readonly FoundPlace[]; readonly match: Match } | "tooComplex" | undefined {
  const { lines } = index.file;
  const filled = old.flatMap((text, at) => (hasText(text) ? [at] : []));
  const starts = index.find(old.filter(hasText));
  if (starts === undefined || !index.budget.take(starts.length * old.length)) return "tooComplex";
  const all = starts.map((start) => placeAt(index, old, filled, start));
  for (const [match, look] of normalizers) {
    const places = all.filter(({ start, lineOf }) =>
      lineOf.every((line, at) => line === start + at && look(old[at] ?? "") === look(lines[line] ?? "")),
    );
    if (places.length > 0) return { places, match };
  }
  return all.length > 0 && old.some(hasWordCharacter) ? { places: all, match: "whitespace" } : undefined;
}

/**
 * The one of several equal places that a hunk means: the only one below its anchors, at the end of the file if the hunk
 * says so, or in the lines in question. The order of hunks decides nothing, because models swap them.
 */
function choosePlace(
  index: FileIndex,
  { anchors, isAtEnd }: Hunk,
  places: readonly FoundPlace[],
  asked: AskedLines | undefined,
): FoundPlace | undefined {
  const only = (ones: readonly FoundPlace[]): FoundPlace | undefined => (ones.length === 1 ? ones[0] : undefined);
  if (places.length <= 1) return places[0];
  if (isAtEnd) return only(places.filter(({ end }) => end === index.file.lines.length));
  const scope = anchors.length > 0 ? scopeOf(index, anchors) : undefined;
  const below = scope ? places.filter(({ start, end }) => start >= scope.start && end <= scope.end) : [];
  if (below.length === 1 || !asked) return only(below);
  const left = below.length > 0 ? below : places;
  const inside = left.filter(({ start, end }) => start >= asked.start && end <= asked.end);
  return only(inside.length > 0 ? inside : left.filter(({ start, end }) => start < asked.end && end > asked.start));
}

/** The place whose filled lines start at a position. A blank line has one only where the file has as many there. */
function placeAt(
  { filled: lines, file }: FileIndex,
  old: readonly string[],
  filled: readonly number[],
  start: number,
): FoundPlace {
  const lineOf = old.map(() => -1);
  for (const [offset, at] of filled.entries()) lineOf[at] = lines[start + offset] ?? -1;
  for (const [offset, below] of filled.entries()) {
    const above = filled[offset - 1] ?? below;
    const line = lineOf[above] ?? -1;
    if (below - above !== (lineOf[below] ?? -1) - line) continue;
    for (let at = above + 1; at < below; at += 1) lineOf[at] = line + at - above;
  }
  const isBlank = (line: number): boolean => file.lines[line] !== undefined && !hasText(file.lines[line]);
  let first = filled[0] ?? 0;
  for (; first > 0 && isBlank((lineOf[first] ?? 0) - 1); first -= 1) lineOf[first - 1] = (lineOf[first] ?? 0) - 1;
  let last = filled.at(-1) ?? 0;
  for (; last < old.length - 1 && isBlank((lineOf[last] ?? 0) + 1); last += 1)
    lineOf[last + 1] = (lineOf[last] ?? 0) + 1;
  return { start: lineOf[first] ?? 0, end: (lineOf[last] ?? 0) + 1, lineOf };
}

/** Lines that close a bracket or open a block. They do not end the part of a file that an anchor starts. */
const continuation = /^[)\]}{]/;

/** The longest part of a file that one anchor is followed through. */
const longestScope = 5_000;

/** The part of the file that the anchors name, each within the one before, from the last anchor on. `undefined` if not unique. */
function scopeOf(index: FileIndex, anchors: readonly string[]): LineRange | undefined {
  let scope: LineRange = { start: 0, end: index.file.lines.length };
  let from = 0;
  for (const anchor of anchors) {
    const { end: until } = scope;
    const [line, ...others] = index.linesLike(anchor).filter((at) => at >= from && at < until);
    if (line === undefined || others.length > 0) return undefined;
    const end = endOfScope(index.file.lines, line);
    // In text without indentation, everything below belongs to the anchor.
    scope = { start: line, end: end > line + 1 ? Math.min(end, until) : until };
    from = line + 1;
  }
  return scope;
}

/** The line after the part that starts with a line: what follows with more indentation. */
function endOfScope(lines: readonly string[], start: number): number {
  const width = indentOf(lines[start] ?? "").length;
  let end = start + 1;
  for (let index = end; index < Math.min(lines.length, start + longestScope); index += 1) {
    const line = lines[index] ?? "";
    if (!hasText(line)) continue;
    const own = indentOf(line).length;
    if (own < width || (own === width && !continuation.test(line.trimStart()))) break;
    end = index + 1;
  }
  return end;
}

/** The changes when the lines in question are replaced. */
export function replaceAsked({ file }: FileIndex, asked: AskedLines, block: Block): Placement {
  const { lines } = block;
  const start = Math.max(0, Math.min(asked.start, file.lines.length));
  const end = Math.max(start, Math.min(asked.end, file.lines.length));
  const old = file.lines.slice(start, end);
  if (mayEndEarly(old, asked.path, block)) return "fence";
  // A blank line would become the final newline of a file that has none.
  const isOpenEnd = end === file.lines.length && old.length > 0 && !/[\r\n]$/.test(file.text);
  const given = isOpenEnd ? withoutBlankEnds(old, lines) : lines;
  const repeats =
    isRepeated(file.lines[start - 1], old[0], given[0]) || isRepeated(file.lines[end], old.at(-1), given.at(-1));
  const fitted = repeats ? undefined : fitBlock(old, given);
  return fitted ? placed(old, fitted, start, lines) : "malformed";
}

/** The changes when a block has the whole file. Refuses what looks like a part of it. */
export function replaceFile({ file }: FileIndex, { path, found }: ResolvedPath, block: Block): Placement {
  const old = file.lines;
  if (mayEndEarly(old, path, block)) return "fence";
  const whole = withoutBlankEnds(old, block.lines);
  const placement = placed(old, whole, 0, whole);
  const isShort = typeof placement !== "string" && isPart(old, whole, placement.edits, found === "similar");
  return isShort ? "omission" : placement;
}

/** The lines of a new file, without the blank lines that models put beside the fences. */
export function newFileLines(lines: readonly string[]): readonly string[] {
  return withoutBlankEnds(["-"], lines);
}

function placed(old: readonly string[], lines: readonly string[], offset: number, given: readonly string[]): Placement {
  const edits = diffLines(old, lines).map(({ start, end, newStart, newEnd }) => ({
    start: start + offset,
    end: end + offset,
    lines: lines.slice(newStart, newEnd),
  }));
  if (edits.length === 0) return "noChange";
  const match = isDeepStrictEqual(lines, given) ? "exact" : "indentation";
  return { edits, match, around: { start: offset, end: offset + old.length } };
}

/** Whether the first or last of new lines repeats the line beside the old ones. */
function isRepeated(beside = "", old = "", line = ""): boolean {
  return hasWordCharacter(line) && beside === line && old !== line;
}

/** Whether a fence in the code may have ended the block: one that is as long as its own, or, in Markdown, a new one. */
function mayEndEarly(old: readonly string[], path: string, { lines, fence, isBeforeBareBlock }: Block): boolean {
  if (fenceAround(lines).length > fence || fenceAround(old).length > fence) return true;
  return isBeforeBareBlock && isMarkdown(path);
}

/** The lines without a blank one at either end, where the old ones have none. */
function withoutBlankEnds(old: readonly string[], lines: readonly string[]): readonly string[] {
  const isExtra = (at: 0 | -1): boolean => hasText(old.at(at) ?? "") && !hasText(lines.at(at) ?? "");
  return lines.length > 1 ? lines.slice(isExtra(0) ? 1 : 0, isExtra(-1) ? -1 : undefined) : lines;
}

/** Files shorter than this are often written anew. */
const fewLines = 10;

/**
 * Whether the new lines look like a part of a file: most of it is gone, both its ends, or a quarter at one end. Where the
 * path is a guess, the least that is gone at an end tells.
 */
function isPart(
  old: readonly string[],
  lines: readonly string[],
  edits: readonly LineEdit[],
  isGuess: boolean,
): boolean {
  const filled = old.filter(hasText).length;
  if (filled < fewLines && !isGuess) return false;
  const gone = filled - lines.filter(hasText).length;
  const cut = edits.filter((edit) => !edit.lines.some(hasWordCharacter) && edit.end - edit.start >= (isGuess ? 1 : 2));
  const first = cut.find(({ start }) => start === 0);
  const last = cut.find(({ end }) => end === old.length);
  const isLong = [first, last].some((edit) => edit && 4 * (edit.end - edit.start) >= old.length);
  return 2 * gone > filled || (isGuess ? Boolean(first ?? last) : isLong || Boolean(first && last));
}
