import { FileIndex } from "./fileIndex.ts";
import { FileText } from "./fileText.ts";
import type { Operation } from "./operations.ts";
import { nearestStart } from "./nearestStart.ts";
import { resolvePath } from "./paths.ts";
import type { AskedLines, EditProblem } from "./types.ts";

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

/** Finds the place that an edit without a place probably means, to quote the code there. */
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
