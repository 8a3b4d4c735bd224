import { runStarts } from "../text/runStarts.ts";
import type { LineRange } from "../text/lineRange.ts";

/** The current position of code that was read earlier. Only `found` may be overwritten. */
export type LocatedLines =
  { readonly type: "found"; readonly lines: LineRange } | { readonly type: "ambiguous" } | { readonly type: "changed" };

/**
 * Finds unchanged lines: at their tracked position, or elsewhere if they occur only once now and did when they were
 * read, because otherwise an identical copy could be mistaken for them. Lines without any word characters are found
 * only at their tracked position.
 */
export function locate(
  document: readonly string[],
  code: readonly string[],
  tracked: LineRange,
  wasUnique: boolean,
): LocatedLines {
  const at = (start: number): LocatedLines => ({ type: "found", lines: { start, end: start + code.length } });
  if (code.length === 0) return tracked.start <= document.length ? at(tracked.start) : { type: "changed" };
  if (matches(document, code, tracked.start)) return at(tracked.start);
  if (!wasUnique || code.every((line) => line.trim() === "")) return { type: "changed" };
  const [only, second] = runStarts(document, code);
  if (only === undefined) return { type: "changed" };
  return second === undefined ? at(only) : { type: "ambiguous" };
}

/** The current position of lines or, if they are not found, their tracked position. Not for overwriting. */
export function locateOrTracked(
  document: readonly string[],
  code: readonly string[],
  tracked: LineRange,
  wasUnique: boolean,
): LineRange {
  const location = locate(document, code, tracked, wasUnique);
  return location.type === "found" ? location.lines : tracked;
}

/** Whether these lines occur exactly once in a document. */
export function isUnique(document: readonly string[], code: readonly string[]): boolean {
  if (code.length === 0) return false;
  const [only, second] = runStarts(document, code);
  return only !== undefined && second === undefined;
}

function matches(document: readonly string[], code: readonly string[], start: number): boolean {
  return code.every((line, index) => document[start + index] === line);
}
