import type { LineRange } from "../../text/lineRange.ts";
import { indentOf, isFilled } from "../../text/lines.ts";
import type { Hunk } from "../read/operations.ts";
import type { AskedLines, Match } from "../types.ts";
import { type Budget, type FileIndex, says } from "./fileIndex.ts";

/** A place of old lines, with the line of the file for each of them; -1 for blank lines that the file does not have. */
export interface FoundPlace extends LineRange {
  readonly lineOf: readonly number[];
}

/** The places of a hunk's old lines, and what was ignored to find them. */
interface FoundPlaces {
  readonly places: readonly FoundPlace[];
  readonly match: Match;
}

/** What has to be the same of two lines, from all to what is neither indentation nor white space at the end. */
const looks: readonly (readonly [Match, (line: string) => string])[] = [
  ["exact", (line) => line],
  ["whitespace", (line) => line.trimEnd()],
  ["indentation", (line) => line.trim()],
];

/**
 * Finds the places of old lines. Each step ignores more, at last all white space and how characters are written; the
 * first in which there are any decides. "tooComplex" if that takes too long.
 */
export function findPlaces(
  index: FileIndex,
  old: readonly string[],
  budget: Budget,
): FoundPlaces | "tooComplex" | undefined {
  const { lines } = index.file;
  const filled = old.flatMap((text, at) => (isFilled(text) ? [at] : []));
  const starts = index.find(
    filled.map((at) => old[at] ?? ""),
    budget,
  );
  if (starts === undefined || !budget.take(starts.length * old.length)) return "tooComplex";
  const all = starts.map((start) => placeAt(index, old, filled, start));
  for (const [match, look] of looks) {
    const places = all.filter(({ start, lineOf }) =>
      lineOf.every((line, at) => line === start + at && look(old[at] ?? "") === look(lines[line] ?? "")),
    );
    if (places.length > 0) return { places, match };
  }
  return all.length > 0 && old.some(says) ? { places: all, match: "whitespace" } : undefined;
}

/**
 * The one of several equal places that a hunk means: the only one below its anchors, at the end of the file if the hunk
 * says so, or in the lines in question. The order of hunks decides nothing, because models swap them.
 */
export function choosePlace<P extends LineRange>(
  index: FileIndex,
  { anchors, isAtEnd }: Pick<Hunk, "anchors" | "isAtEnd">,
  places: readonly P[],
  asked: AskedLines | undefined,
): P | undefined {
  const only = (ones: readonly P[]): P | undefined => (ones.length === 1 ? ones[0] : undefined);
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
  const isBlank = (line: number): boolean => file.lines[line] !== undefined && !isFilled(file.lines[line]);
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

/**
 * The part of the file that the anchors name, each in the part of the one before. Starts with the last anchor.
 * `undefined` if one of them is not unique.
 */
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
    if (!isFilled(line)) continue;
    const own = indentOf(line).length;
    if (own < width || (own === width && !continuation.test(line.trimStart()))) break;
    end = index + 1;
  }
  return end;
}
