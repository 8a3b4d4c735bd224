import { Budget } from "./budget.ts";
import { FileIndex } from "./fileIndex.ts";
import { FreeLines } from "./freeLines.ts";
import { FileText } from "./fileText.ts";
import { nearestStart, similarStart } from "./nearestStart.ts";
import type { Operation } from "./operations.ts";
import { resolvePath } from "./paths.ts";
import type { Placement } from "./placeHunk.ts";
import { placeReadings } from "./placeReadings.ts";
import type { Run } from "./placeRuns.ts";
import { replaceAsked, replaceFile } from "./replaceWhole.ts";
import { runsNear } from "./runsNear.ts";
import type { AskedLines } from "./types.ts";

/** What edits that are not applied would do, for a person to look at. Never apply any of it. */
export interface Sketch {
  /** The edits at their places or, where they have none, at those that are most like their old lines. None overlap. */
  readonly runs: readonly Run[];
  /** The edits that no place is like. */
  readonly unplaced: readonly UnplacedEdit[];
}

/** Old lines that are nowhere in a file, and the lines that were to replace them. */
export interface UnplacedEdit {
  readonly before: readonly string[];
  readonly lines: readonly string[];
}

/** One edit as it can be shown. */
interface SketchedEdit extends UnplacedEdit {
  readonly runs: readonly Run[];
  readonly isPlaced: boolean;
}

/** Finds what can be shown of the edits of one file. Without `asked`, no block replaces lines as a whole. */
export function sketchEdits(
  operations: readonly Operation[],
  { path, text }: { readonly path: string; readonly text: string },
  asked: AskedLines | undefined,
): Sketch {
  const index = new FileIndex(new FileText(text));
  const budget = new Budget();
  const files = new Map([[path, text]]);
  const edits = operations.flatMap((operation) => {
    const written = "path" in operation ? operation.path : undefined;
    const resolved = written === undefined ? undefined : resolvePath(written, files, true);
    const isOwn = written === undefined || (resolved?.type === "file" && resolved.path === path);
    return isOwn ? (sketchOf(operation, index, path, asked, budget) ?? []) : [];
  });
  const runs: Run[] = [];
  const free = new FreeLines(index.file.lines.length);
  const unplaced: UnplacedEdit[] = [];
  // Those that have a place come first, so that a guess never takes it.
  for (const edit of edits.toSorted((one, other) => Number(other.isPlaced) - Number(one.isPlaced))) {
    if (edit.runs.length > 0 && free.take(edit.runs)) runs.push(...edit.runs);
    else unplaced.push({ before: edit.before, lines: edit.lines });
  }
  return { runs: runs.toSorted((one, other) => one.start - other.start || one.end - other.end), unplaced };
}

/** What one edit would do; `undefined` if there is nothing to show. */
function sketchOf(
  operation: Operation,
  index: FileIndex,
  path: string,
  asked: AskedLines | undefined,
  budget: Budget,
): SketchedEdit | undefined {
  const { file } = index;
  if (operation.type === "replace") {
    const { lines, block } = operation;
    if (!asked) return { runs: [], isPlaced: false, before: [], lines };
    return sketchWhole(replaceAsked(file, asked, lines, block), file, asked, lines);
  }
  if (operation.type === "wholeFile") {
    const { lines, block } = operation;
    return sketchWhole(replaceFile(file, path, lines, block, false), file, { start: 0, end: file.lines.length }, lines);
  }
  const hunk = operation.type === "hunk" ? operation.readings[0] : undefined;
  if (operation.type !== "hunk" || !hunk) return undefined;
  const [placement] = placeReadings(index, operation.readings, asked, budget, 1);
  const old = hunk.old.map(({ text }) => text);
  const edit = { before: old, lines: hunk.lines };
  if (placement?.type === "placed") return { ...edit, runs: placement.runs, isPlaced: true };
  if (placement?.kind === "noChange" || placement?.kind === "alreadyApplied") return undefined;
  const start = nearestStart(index, old, asked?.start) ?? similarStart(index, old, asked?.start ?? 0, budget);
  if (start === undefined) return { ...edit, runs: [], isPlaced: false };
  const runs = runsNear(index, hunk, start);
  return runs.length === 0 ? undefined : { ...edit, runs, isPlaced: false };
}

function sketchWhole(
  placement: Placement,
  { lines: all }: FileText,
  range: { readonly start: number; readonly end: number },
  lines: readonly string[],
): SketchedEdit | undefined {
  const [start, end] = [Math.min(range.start, all.length), Math.min(range.end, all.length)];
  const before = all.slice(start, end);
  if (placement.type === "placed") return { before, lines, runs: placement.runs, isPlaced: true };
  return placement.kind === "noChange" ? undefined : { before, lines, runs: [{ start, end, lines }], isPlaced: true };
}
