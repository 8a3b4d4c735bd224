import type { LineRange } from "../../text/lineRange.ts";
import { findSequence } from "../../text/findSequence.ts";

/**
 * The current position of unchanged lines, which may be overwritten: their tracked position, or elsewhere if they occur
 * only once now and did when they were read, because otherwise an identical copy could be mistaken for them. Blank lines
 * are found only at their tracked position.
 */
export function locate(
  document: readonly string[],
  code: readonly string[],
  tracked: LineRange,
  wasUnique: boolean,
): LineRange | undefined {
  const at = (start: number): LineRange => ({ start, end: start + code.length });
  if (code.length === 0) return tracked.start <= document.length ? at(tracked.start) : undefined;
  if (code.every((line, index) => document[tracked.start + index] === line)) return at(tracked.start);
  if (!wasUnique || code.every((line) => line.trim() === "")) return undefined;
  const only = onlyStart(document, code);
  return only === undefined ? undefined : at(only);
}

/** The line where these lines start, if they occur exactly once in a document. */
export function onlyStart(document: readonly string[], code: readonly string[]): number | undefined {
  if (code.length === 0) return undefined;
  const [only, second] = findSequence(document, code);
  return second === undefined ? only : undefined;
}
