import type { LineRange } from "../../text/lineRange.ts";
import { isFilled } from "../../text/lines.ts";
import type { Hunk } from "../read/operations.ts";
import type { AskedLines, Match } from "../types.ts";
import type { Budget, FileIndex } from "./fileIndex.ts";
import { placesBelow } from "./scope.ts";
import { learnSpelling } from "./spelling.ts";

/** A place of old lines, with the line of the file for each of them; -1 for blank lines that the file does not have. */
export interface FoundPlace extends LineRange {
  readonly lineOf: readonly number[];
}

/** The places of a hunk's old lines, and what was ignored to find them. */
interface FoundPlaces {
  readonly places: readonly FoundPlace[];
  readonly match: Match;
}

/** What is ignored, from nothing to all white space and how characters are written. */
const steps = ["exact", "ends", "shift", "indentation", "look"] as const;
type Step = (typeof steps)[number];
const matches: Readonly<Record<Step, Match>> = {
  exact: "exact",
  ends: "whitespace",
  shift: "indentation",
  indentation: "indentation",
  look: "whitespace",
};

/**
 * Finds the places of the old lines. Each step ignores more; the first in which there are any decides. "tooComplex" if
 * that takes too long.
 */
export function findPlaces(
  index: FileIndex,
  { old }: Pick<Hunk, "old">,
  budget: Budget,
): FoundPlaces | "tooComplex" | undefined {
  const texts = old.map(({ text }) => text);
  const filled = texts.flatMap((text, at) => (isFilled(text) ? [at] : []));
  const starts = index.find(
    filled.map((at) => texts[at] ?? ""),
    budget,
  );
  if (starts === undefined || !budget.take(starts.length * old.length)) return "tooComplex";
  const byStep = Map.groupBy(
    starts.map((start) => placeAt(index, texts, filled, start)),
    (place) => stepOf(index, texts, place),
  );
  for (const step of steps) {
    const places = byStep.get(step);
    if (places && (step !== "look" || texts.some(says))) return { places, match: matches[step] };
  }
  return undefined;
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
  const below = placesBelow(index, anchors, places);
  if (below.length === 1 || !asked) return only(below);
  const left = below.length > 0 ? below : places;
  const inside = left.filter(({ start, end }) => start >= asked.start && end <= asked.end);
  return only(inside.length > 0 ? inside : left.filter(({ start, end }) => start < asked.end && end > asked.start));
}

/** Whether a line says something about its place. Lines like "}" are often there twice, with other indentation. */
export function says(line: string): boolean {
  return /\p{L}|\d/u.test(line);
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

function stepOf({ file, style }: FileIndex, old: readonly string[], { start, lineOf }: FoundPlace): Step {
  if (!lineOf.every((line, at) => line === start + at)) return "look";
  const inFile = file.lines.slice(start, start + old.length);
  const isSame = (look: (line: string) => string): boolean =>
    old.every((text, at) => look(text) === look(inFile[at] ?? ""));
  if (isSame((line) => line)) return "exact";
  if (isSame((line) => line.trimEnd())) return "ends";
  if (!isSame((line) => line.trim())) return "look";
  const shared = old.map((answer, at) => ({ answer, file: inFile[at] ?? "" }));
  return learnSpelling(shared, old, style).isShift ? "shift" : "indentation";
}
