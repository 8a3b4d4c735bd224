import type { AskedLines } from "./decide.ts";
import { FileIndex } from "./fileIndex.ts";
import { FileText } from "./fileText.ts";
import type { Operation } from "./operations.ts";
import { resolvePath } from "./paths.ts";
import type { EditProblem } from "./types.ts";

/** Where old lines of an answer come closest to a file, and the first line that differs. Numbers start from zero. */
export interface FirstDifference {
  readonly path: string;
  /** The lines of the file that the old lines probably mean. */
  readonly start: number;
  readonly end: number;
  /** The line of the file that differs. */
  readonly line: number;
  /** What the answer has there. */
  readonly expected: string;
  /** What the file has; `undefined` behind its end. */
  readonly actual: string | undefined;
}

/** Lines that occur more often say nothing about the place. */
const mostPositions = 20;

/**
 * Finds the place that an edit without a place probably means, to quote the code there. It is a guess: the place where
 * most of the rarer old lines stand at the right distance from each other. Never apply anything there.
 */
export function firstDifference(
  operations: readonly Operation[],
  files: ReadonlyMap<string, string>,
  problem: EditProblem,
  asked?: AskedLines,
): FirstDifference | undefined {
  const hunk = operations.find((operation) => operation.type === "hunk" && operation.line === problem.line);
  if (hunk?.type !== "hunk") return undefined;
  const path = pathOf(hunk.path ?? problem.path ?? asked?.path, files);
  const text = path === undefined ? undefined : files.get(path);
  const old = hunk.readings[0]?.old.map((line) => line.text) ?? [];
  if (path === undefined || text === undefined || old.length === 0) return undefined;
  const index = new FileIndex(new FileText(text));
  const start = nearestStart(index, old);
  if (start === undefined) return undefined;
  const { lines } = index.file;
  const offset = old.findIndex((line, at) => lines[start + at]?.trim() !== line.trim());
  if (offset < 0) return undefined;
  const line = start + offset;
  const end = Math.min(lines.length, start + old.length);
  return { path, start: Math.max(0, start), end, line, expected: old[offset] ?? "", actual: lines[line] };
}

function pathOf(written: string | undefined, files: ReadonlyMap<string, string>): string | undefined {
  const [only, ...others] = files.keys();
  if (written === undefined) return others.length === 0 ? only : undefined;
  const resolved = resolvePath(written, files, true);
  return resolved.type === "file" ? resolved.path : undefined;
}

/** The start for which most old lines are where they should be; the first of several. */
function nearestStart(index: FileIndex, old: readonly string[]): number | undefined {
  const votes = new Map<number, number>();
  for (const [at, line] of old.entries()) {
    const positions = line.trim() === "" ? [] : index.by("indentation").positionsOf(line.trim());
    if (positions.length > mostPositions) continue;
    for (const position of positions) votes.set(position - at, (votes.get(position - at) ?? 0) + 1);
  }
  let best: number | undefined;
  for (const [start, count] of votes) if (start >= 0 && count > (votes.get(best ?? -1) ?? 0)) best = start;
  return best;
}
