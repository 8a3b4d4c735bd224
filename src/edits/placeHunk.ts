import type { Place } from "./anchors.ts";
import { anchorLine } from "./anchors.ts";
import type { Budget } from "./budget.ts";
import { choosePlace } from "./choosePlace.ts";
import type { AskedLines } from "./types.ts";
import type { FileIndex } from "./fileIndex.ts";
import { findPlaces, type FoundPlace, says } from "./findPlaces.ts";
import { isEllipsis } from "./omissions.ts";
import type { Hunk } from "./operations.ts";
import { placeRuns, type Run } from "./placeRuns.ts";
import type { EditProblemKind, Match } from "./types.ts";

/** The changed lines of a hunk in its file, or why it has no place. */
export type Placement =
  | { readonly type: "placed"; readonly runs: readonly Run[]; readonly match: Match; readonly around: Place }
  | { readonly type: "problem"; readonly kind: EditProblemKind };

const problem = (kind: EditProblemKind): Placement => ({ type: "problem", kind });

/** Finds the places of a hunk that an answer has `times` times: as many as there are places, or one. */
export function placeHunk(
  index: FileIndex,
  hunk: Hunk,
  asked: AskedLines | undefined,
  budget: Budget,
  times = 1,
): readonly Placement[] {
  if (hunk.old.length === 0) return [insertOnly(index, hunk)];
  const found = findPlaces(index, hunk, budget);
  if (found === "tooComplex") return [problem("tooComplex")];
  const reason = found ? "noChange" : reasonNotFound(index, hunk, budget);
  // Lines without any mark show where others are, or they have lost their marks.
  if (hunk.marked?.length === 0) return [problem(reason === "ellipsis" ? "noChange" : reason)];
  if (!found) return [problem(reason)];
  const { places, match } = found;
  if (times > 1 && places.length === times && areApart(places)) {
    return places.map((place) => placementAt(index, hunk, place, match));
  }
  const place = choosePlace(index, hunk, places, asked);
  return [place ? placementAt(index, hunk, place, match) : problem("ambiguous")];
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

/** Whether the lines that a hunk would add stand above or below already. */
function isInsertedAlready({ file }: FileIndex, { start, end, lines }: Run): boolean {
  if (start < end || !lines.some(says)) return false;
  const same = (from: number): boolean =>
    from >= 0 && lines.every((line, offset) => file.lines[from + offset]?.trim() === line.trim());
  return same(start) || same(start - lines.length);
}

function reasonNotFound(index: FileIndex, { old, lines }: Hunk, budget: Budget): EditProblemKind {
  if (old.some(({ text }) => isEllipsis(text))) return "ellipsis";
  if (!lines.some(says)) return "notFound";
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
