import { indentOf } from "../text/lines.ts";
import { diffLines, type LineChange } from "./diffLines.ts";
import type { FileIndex } from "./fileIndex.ts";
import { indentRule, withoutIndent } from "./indentation.ts";
import { isEllipsis } from "./omissions.ts";
import type { Hunk } from "./operations.ts";
import { changesOf, type Run } from "./placeRuns.ts";

/** How many lines behind a place are searched for the last old lines, and how many for those after an ellipsis. */
const slack = 3;
const slackAfterEllipsis = 100;

/**
 * The changed lines of a hunk at a place that is only similar to its old lines. Old lines that the hunk does not change
 * may differ there; changed ones take the place of what stands where they should be.
 */
export function runsNear({ file, style }: FileIndex, hunk: Hunk, start: number): readonly Run[] {
  const old = hunk.old.map(({ text }) => text);
  const until = start + old.length + (old.some(isEllipsis) ? slackAfterEllipsis : slack);
  const trimmed = (lines: readonly string[]): readonly string[] => lines.map((line) => line.trim());
  const shared = diffLines(trimmed(old), trimmed(file.lines.slice(start, until)));
  const found = positionsOf(shared, old.length);
  const isFound = found.some((at) => at >= 0);
  const lineOf = found.map((position, at) => (isFound ? (position < 0 ? -1 : start + position) : start + at));
  const pairs = old.flatMap((line, at) => {
    const inFile = file.lines[lineOf[at] ?? -1];
    return inFile === undefined || line.trim() === "" ? [] : [{ answer: indentOf(line), file: indentOf(inFile) }];
  });
  const rule = indentRule(pairs, [...old, ...hunk.lines], style.unit);
  const fit = (line: string): string => {
    const indent = line.trim() === "" ? undefined : rule.translate(indentOf(line));
    return indent === undefined ? line : indent + withoutIndent(line);
  };
  const nearest = nearestOf(lineOf);
  const runs: Run[] = [];
  for (const change of changesOf(hunk)) {
    const lines = hunk.lines.slice(change.newStart, change.newEnd).map(fit);
    const from = Math.max(runs.at(-1)?.end ?? 0, Math.min(file.lines.length, startNear(nearest, change.start)));
    const to = Math.max(from, Math.min(file.lines.length, endNear(nearest, change)));
    const isThere = (at: number): boolean => lines.join("\n") === file.lines.slice(at, at + lines.length).join("\n");
    if (isThere(from) && (from === to || to - from === lines.length)) continue;
    runs.push({ start: from, end: to, lines });
  }
  return runs;
}

/** For each old line, the line that a diff leaves in its place; -1 if it is changed. */
function positionsOf(changes: readonly LineChange[], length: number): readonly number[] {
  const positions = Array<number>(length).fill(-1);
  let [next, delta] = [0, 0];
  const keep = (until: number): void => {
    for (; next < until; next += 1) positions[next] = next + delta;
  };
  for (const { start, end, newEnd } of changes) {
    keep(start);
    [next, delta] = [end, newEnd - end];
  }
  keep(length);
  return positions;
}

/** The nearest found old lines, above and from each old line on: their numbers, or -1. */
interface Nearest {
  readonly lineOf: readonly number[];
  readonly above: readonly number[];
  readonly below: readonly number[];
}

function nearestOf(lineOf: readonly number[]): Nearest {
  const above: number[] = [-1];
  for (const [at, line] of lineOf.entries()) above.push(line < 0 ? (above[at] ?? -1) : at);
  const below = Array<number>(lineOf.length + 1).fill(-1);
  for (let at = lineOf.length - 1; at >= 0; at -= 1) below[at] = (lineOf[at] ?? -1) < 0 ? (below[at + 1] ?? -1) : at;
  return { lineOf, above, below };
}

/** Where a change starts: as far from the found line above it as in the old lines, or else from the one below. */
function startNear({ lineOf, above: aboves, below: belows }: Nearest, start: number): number {
  const [above, below] = [aboves[start] ?? -1, belows[start] ?? -1];
  const line = lineOf[below] ?? Infinity;
  if (below === start) return line;
  if (above < 0) return Math.max(0, line - (below - start));
  return Math.min(line, (lineOf[above] ?? 0) + start - above);
}

/** Where a change ends, the same way from the found line below it, or else from the one above. */
function endNear(nearest: Nearest, { start, end }: LineChange): number {
  if (start === end) return startNear(nearest, start);
  const { lineOf } = nearest;
  const [above, below] = [nearest.above[end] ?? -1, nearest.below[end] ?? -1];
  const line = lineOf[above] ?? -1;
  if (above === end - 1 || below < 0) return line + end - above;
  return Math.max(line + 1, (lineOf[below] ?? 0) - (below - end));
}
