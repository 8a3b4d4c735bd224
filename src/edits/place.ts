import type { Place } from "./anchors.ts";
import { anchorLine } from "./anchors.ts";
import type { Budget } from "./budget.ts";
import { type AskedLines, decide } from "./decide.ts";
import { type FileIndex, keyOf, type Likeness } from "./fileIndex.ts";
import { indentOf, indentRule } from "./indentation.ts";
import { isEllipsis } from "./omissions.ts";
import type { Hunk } from "./operations.ts";
import { placeRuns, type Run } from "./placeRuns.ts";
import type { EditProblemKind, Match } from "./types.ts";

/** The changed lines of a hunk in its file, or why it has no place. */
export type Placement =
  | { readonly type: "placed"; readonly runs: readonly Run[]; readonly match: Match; readonly around: Place }
  | { readonly type: "problem"; readonly kind: EditProblemKind };

/** A place of old lines, with the line of the file for each of them; -1 for blank lines that the file does not have. */
interface FoundPlace extends Place {
  readonly lineOf: readonly number[];
}

const problem = (kind: EditProblemKind): Placement => ({ type: "problem", kind });

/**
 * Finds the places of a hunk that an answer has `times` times: as many as there are places, or one. Each step ignores
 * more white space; the first in which the old lines are found decides.
 */
export function placeHunk(
  index: FileIndex,
  hunk: Hunk,
  asked: AskedLines | undefined,
  budget: Budget,
  times = 1,
): readonly Placement[] {
  if (hunk.old.length === 0) return [insertOnly(index, hunk)];
  for (const step of steps) {
    const places = step.find(index, hunk, budget);
    if (places === undefined) return [problem("tooComplex")];
    if (places.length === 0) continue;
    if (times > 1 && places.length === times && areApart(places)) {
      return places.map((place) => placementAt(index, hunk, place, step.match));
    }
    const place = decide(index, hunk, places, asked);
    return [place ? placementAt(index, hunk, place, step.match) : problem("ambiguous")];
  }
  return [problem(reasonNotFound(index, hunk, budget))];
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
  if (likeness !== "exact" && old.every(({ text }) => text.trim() === "")) return [];
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
  if (filled.length === 0) return [];
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

function placementAt(index: FileIndex, hunk: Hunk, place: FoundPlace, match: Match): Placement {
  const placed = placeRuns(index, hunk, place.lineOf);
  if (!placed) return problem("notFound");
  const runs = placed.runs.filter(({ start, end, lines }) => !areSame(index.file.lines.slice(start, end), lines));
  if (runs.length === 0) return problem("noChange");
  if (runs.some((run) => isInsertedAlready(index, run))) return problem("alreadyApplied");
  const { start, end } = place;
  const isShifted = match === "indentation" && placed.isUniform;
  return { type: "placed", runs, match: match === "exact" || isShifted ? match : "whitespace", around: { start, end } };
}

/** A hunk with new lines only: at the end of the file, or below the line that its anchors name. */
function insertOnly(index: FileIndex, { lines, anchors, isAtEnd }: Hunk): Placement {
  const { length } = index.file.lines;
  const anchor = anchors.length > 0 ? anchorLine(index, anchors) : undefined;
  const at = length === 0 || isAtEnd ? length : anchor === undefined ? undefined : anchor + 1;
  if (at === undefined) return problem(anchors.length > 0 ? "notFound" : "ambiguous");
  const run = { start: at, end: at, lines };
  if (lines.length === 0) return problem("noChange");
  if (isInsertedAlready(index, run)) return problem("alreadyApplied");
  return { type: "placed", runs: [run], match: "exact", around: { start: Math.max(0, at - 1), end: at } };
}

/** Whether the lines that a hunk would add stand above or below already. Lines like "}" often stand twice. */
function isInsertedAlready({ file }: FileIndex, { start, end, lines }: Run): boolean {
  if (start < end || !lines.some((line) => /\p{L}|\d/u.test(line))) return false;
  const same = (from: number): boolean =>
    from >= 0 && lines.every((line, offset) => file.lines[from + offset]?.trim() === line.trim());
  return same(start) || same(start - lines.length);
}

function reasonNotFound(index: FileIndex, { old, lines }: Hunk, budget: Budget): EditProblemKind {
  if (old.some(({ text }) => isEllipsis(text))) return "ellipsis";
  if (!lines.some((line) => /\p{L}|\d/u.test(line))) return "notFound";
  const found = index.by("indentation").find(
    lines.map((line) => line.trim()),
    budget,
  );
  return found && found.length > 0 ? "alreadyApplied" : "notFound";
}

function areApart(places: readonly Place[]): boolean {
  return places.every(({ start }, at) => at === 0 || start >= (places[at - 1]?.end ?? 0));
}

function areSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((line, at) => line === other[at]);
}
