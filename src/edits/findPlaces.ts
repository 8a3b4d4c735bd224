import { indentOf, isFilled } from "../text/lines.ts";
import type { Place } from "./anchors.ts";
import type { Budget } from "./budget.ts";
import { type FileIndex, keyOf, type Likeness } from "./fileIndex.ts";
import { indentRule } from "./indentation.ts";
import type { Hunk } from "./operations.ts";
import type { Match } from "./types.ts";

/** A place of old lines, with the line of the file for each of them; -1 for blank lines that the file does not have. */
export interface FoundPlace extends Place {
  readonly lineOf: readonly number[];
}

/** The places of a hunk's old lines, and what was ignored to find them. */
export interface FoundPlaces {
  readonly places: readonly FoundPlace[];
  readonly match: Match;
}

/**
 * Finds the places of the old lines. Each step ignores more white space; the first in which there are any decides.
 * "tooComplex" if that takes too long.
 */
export function findPlaces(index: FileIndex, hunk: Hunk, budget: Budget): FoundPlaces | "tooComplex" | undefined {
  for (const { match, find } of steps) {
    const places = find(index, hunk, budget);
    if (places === undefined) return "tooComplex";
    if (places.length > 0) return { places, match };
  }
  return undefined;
}

interface Step {
  readonly match: Match;
  readonly find: (index: FileIndex, hunk: Hunk, budget: Budget) => readonly FoundPlace[] | undefined;
}

const steps: readonly Step[] = [
  { match: "exact", find: (index, hunk, budget) => findLike(index, hunk, "exact", budget) },
  { match: "whitespace", find: (index, hunk, budget) => findLike(index, hunk, "trailing", budget) },
  { match: "indentation", find: findShifted },
  { match: "whitespace", find: (index, hunk, budget) => findLike(index, hunk, "whitespace", budget) },
  { match: "whitespace", find: findFilled },
];

function findLike(
  index: FileIndex,
  { old }: Hunk,
  likeness: Likeness,
  budget: Budget,
): readonly FoundPlace[] | undefined {
  const isTelling = likeness === "whitespace" ? says : isFilled;
  if (likeness !== "exact" && !old.some(({ text }) => isTelling(text))) return [];
  const keys = old.map(({ text }) => keyOf(text, likeness));
  const starts = index.by(likeness).find(keys, budget);
  if (starts === undefined || !budget.take(starts.length)) return undefined;
  return starts.map((start) => new Consecutive(start, old.length));
}

/** Old lines that stand in a row. Computes their lines only when needed, because there can be many such places. */
class Consecutive implements FoundPlace {
  readonly start: number;
  readonly end: number;

  constructor(start: number, count: number) {
    this.start = start;
    this.end = start + count;
  }

  get lineOf(): readonly number[] {
    return Array.from({ length: this.end - this.start }, (_, offset) => this.start + offset);
  }
}

/** Places with other indentation. Of several, those where all lines are shifted alike. */
function findShifted(index: FileIndex, hunk: Hunk, budget: Budget): readonly FoundPlace[] | undefined {
  const places = findLike(index, hunk, "indentation", budget);
  if (places === undefined || places.length <= 1) return places;
  if (!budget.take(places.length * hunk.old.length)) return undefined;
  const shifted = places.filter(({ start }) => {
    const pairs = hunk.old.flatMap(({ text }, offset) =>
      text.trim() === "" ? [] : [{ answer: indentOf(text), file: indentOf(index.file.lines[start + offset] ?? "") }],
    );
    return indentRule(pairs, []).isUniform;
  });
  return shifted.length > 0 ? shifted : places;
}

/** Places where blank lines were left out or added as well. */
function findFilled(index: FileIndex, { old }: Hunk, budget: Budget): readonly FoundPlace[] | undefined {
  const filled = old.flatMap(({ text }, at) => (text.trim() === "" ? [] : [at]));
  if (!old.some(({ text }) => says(text))) return [];
  const keys = filled.map((at) => keyOf(old[at]?.text ?? "", "whitespace"));
  const starts = index.filled.find(keys, budget);
  if (starts === undefined || !budget.take(starts.length)) return undefined;
  const { filledLines } = index;
  const places = starts.map((start) => ({
    start: filledLines[start] ?? 0,
    end: (filledLines[start + keys.length - 1] ?? 0) + 1,
    get lineOf(): readonly number[] {
      return linesWithBlanks(
        index,
        old.map(({ text }) => text),
        filled,
        start,
      );
    },
  }));
  return places;
}

/** Assigns the blank lines between two others only if the file has as many there. */
function linesWithBlanks(
  { filledLines, file }: FileIndex,
  old: readonly string[],
  filled: readonly number[],
  start: number,
): readonly number[] {
  const lineOf = old.map(() => -1);
  for (const [offset, at] of filled.entries()) lineOf[at] = filledLines[start + offset] ?? -1;
  for (let offset = 1; offset < filled.length; offset += 1) {
    const [above, below] = [filled[offset - 1] ?? 0, filled[offset] ?? 0];
    const [line, lineBelow] = [lineOf[above] ?? -1, lineOf[below] ?? -1];
    if (below - above !== lineBelow - line) continue;
    for (let at = above + 1; at < below; at += 1) lineOf[at] = line + at - above;
  }
  const isBlank = (line: number): boolean => file.lines[line]?.trim() === "";
  for (let at = (filled[0] ?? 0) - 1; at >= 0 && isBlank((lineOf[at + 1] ?? 0) - 1); at -= 1) {
    lineOf[at] = (lineOf[at + 1] ?? 0) - 1;
  }
  for (let at = (filled.at(-1) ?? 0) + 1; at < old.length && isBlank((lineOf[at - 1] ?? 0) + 1); at += 1) {
    lineOf[at] = (lineOf[at - 1] ?? 0) + 1;
  }
  return lineOf;
}

/** Whether a line says something about its place. Lines like "}" are often there twice, with other indentation. */
export function says(line: string): boolean {
  return /\p{L}|\d/u.test(line);
}
