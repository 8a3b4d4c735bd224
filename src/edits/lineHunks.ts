import { type Match, shortestEdit } from "./shortestEdit.ts";

/** Lines to replace: the old ones from `start` to before `end`, zero-based, and the new ones. */
export interface LineHunk {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
}

/** A part of both texts; the ends are exclusive. */
interface Span {
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly newStart: number;
  readonly newEnd: number;
}

/** Maximum number of differing lines that are compared one by one, so that the time stays linear. */
const mostDifferences = 200;
/** A change of this many lines, old and new together, takes in equal lines next to it that say nothing. */
const largeChange = 5;
/** Maximum number of visible characters in equal lines that say nothing, such as `}`. */
const sayingNothing = 4;

/**
 * The smallest readable set of hunks that turns `before` into `after`, in order and never touching each other. Lines that
 * occur once in both texts are matched first (patience diff), the others between them as few differences as possible
 * (Myers, An O(ND) Difference Algorithm, 1986).
 */
export function lineHunks(before: readonly string[], after: readonly string[]): readonly LineHunk[] {
  const spans: Span[] = [];
  let [oldStart, newStart] = [0, 0];
  const close = (oldEnd: number, newEnd: number): void => {
    if (oldEnd > oldStart || newEnd > newStart) spans.push({ oldStart, oldEnd, newStart, newEnd });
    [oldStart, newStart] = [oldEnd + 1, newEnd + 1];
  };
  const whole = { oldStart: 0, oldEnd: before.length, newStart: 0, newEnd: after.length };
  for (const match of matchesIn(before, after, whole)) close(match.old, match.new);
  close(before.length, after.length);
  return joined(spans, before).map((span) => ({
    start: span.oldStart,
    end: span.oldEnd,
    lines: after.slice(span.newStart, span.newEnd),
  }));
}

function matchesIn(before: readonly string[], after: readonly string[], whole: Span): readonly Match[] {
  const matches: Match[] = [];
  const rest = trimmed(before, after, whole);
  addRun(matches, whole.oldStart, rest.oldStart, whole.newStart);
  let { oldStart, newStart } = rest;
  for (const anchor of [...anchorsIn(before, after, rest), { old: rest.oldEnd, new: rest.newEnd }]) {
    matchGap(before, after, { oldStart, oldEnd: anchor.old, newStart, newEnd: anchor.new }, matches);
    if (anchor.old < rest.oldEnd) matches.push(anchor);
    [oldStart, newStart] = [anchor.old + 1, anchor.new + 1];
  }
  addRun(matches, rest.oldEnd, whole.oldEnd, rest.newEnd);
  return matches;
}

function matchGap(before: readonly string[], after: readonly string[], gap: Span, matches: Match[]): void {
  const rest = trimmed(before, after, gap);
  addRun(matches, gap.oldStart, rest.oldStart, gap.newStart);
  const old = before.slice(rest.oldStart, rest.oldEnd);
  const next = after.slice(rest.newStart, rest.newEnd);
  for (const match of shortestEdit(old, next, mostDifferences)) {
    matches.push({ old: rest.oldStart + match.old, new: rest.newStart + match.new });
  }
  addRun(matches, rest.oldEnd, gap.oldEnd, rest.newEnd);
}

function addRun(matches: Match[], oldStart: number, oldEnd: number, newStart: number): void {
  for (let old = oldStart; old < oldEnd; old += 1) matches.push({ old, new: newStart + old - oldStart });
}

/** What is between the equal lines at both ends. */
function trimmed(before: readonly string[], after: readonly string[], span: Span): Span {
  let { oldStart, oldEnd, newStart, newEnd } = span;
  for (; oldStart < oldEnd && newStart < newEnd && before[oldStart] === after[newStart]; oldStart += 1) newStart += 1;
  for (; oldStart < oldEnd && newStart < newEnd && before[oldEnd - 1] === after[newEnd - 1]; oldEnd -= 1) newEnd -= 1;
  return { oldStart, oldEnd, newStart, newEnd };
}

/** The longest increasing sequence of lines that occur once in both texts. */
function anchorsIn(before: readonly string[], after: readonly string[], span: Span): readonly Match[] {
  const inNew = placesOfUnique(after, span.newStart, span.newEnd);
  const piles: { readonly match: Match; readonly below: number }[] = [];
  const tops: number[] = [];
  for (const [line, old] of placesOfUnique(before, span.oldStart, span.oldEnd)) {
    const place = old < 0 ? -1 : (inNew.get(line) ?? -1);
    if (place < 0) continue;
    let [low, high] = [0, tops.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((piles[tops[middle] ?? 0]?.match.new ?? 0) < place) low = middle + 1;
      else high = middle;
    }
    piles.push({ match: { old, new: place }, below: tops[low - 1] ?? -1 });
    tops[low] = piles.length - 1;
  }
  const anchors: Match[] = [];
  for (let pile = piles[tops.at(-1) ?? -1]; pile; pile = piles[pile.below]) anchors.push(pile.match);
  return anchors.reverse();
}

/** Where each line occurs, in order of first occurrence; -1 for lines that occur again. */
function placesOfUnique(lines: readonly string[], start: number, end: number): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  for (let index = start; index < end; index += 1) {
    const line = lines[index] ?? "";
    places.set(line, places.has(line) ? -1 : index);
  }
  return places;
}

/** Joins large changes across equal lines that say nothing: taken apart, they would be hard to read and to decide on. */
function joined(spans: readonly Span[], before: readonly string[]): readonly Span[] {
  const result: Span[] = [];
  for (const span of spans) {
    const last = result.at(-1);
    const joins = last && (isLarge(last) || isLarge(span)) && saysNothing(before, last.oldEnd, span.oldStart);
    if (joins) result[result.length - 1] = { ...span, oldStart: last.oldStart, newStart: last.newStart };
    else result.push(span);
  }
  return result;
}

function isLarge({ oldStart, oldEnd, newStart, newEnd }: Span): boolean {
  return oldEnd - oldStart + newEnd - newStart >= largeChange;
}

function saysNothing(lines: readonly string[], start: number, end: number): boolean {
  let visible = 0;
  for (let index = start; index < end && visible <= sayingNothing; index += 1) {
    visible += (lines[index] ?? "").trim().length;
  }
  return visible <= sayingNothing && end - start <= sayingNothing;
}
