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
  const [only, ...others] = startsOf(document, code);
  if (only === undefined) return { type: "changed" };
  return others.length === 0 ? at(only) : { type: "ambiguous" };
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
  return code.length > 0 && startsOf(document, code).length === 1;
}

/** The first two occurrences of the lines, in linear time (Knuth-Morris-Pratt). */
function startsOf(document: readonly string[], code: readonly string[]): readonly number[] {
  const borders = bordersOf(code);
  const starts: number[] = [];
  let matched = 0;
  for (const [index, line] of document.entries()) {
    while (matched > 0 && code[matched] !== line) matched = borders[matched - 1] ?? 0;
    if (code[matched] === line) matched += 1;
    if (matched < code.length) continue;
    starts.push(index + 1 - code.length);
    if (starts.length === 2) break;
    matched = borders[matched - 1] ?? 0;
  }
  return starts;
}

/** The failure function of Knuth-Morris-Pratt. */
function bordersOf(code: readonly string[]): readonly number[] {
  const borders = [0];
  for (let index = 1, length = 0; index < code.length; index += 1) {
    while (length > 0 && code[index] !== code[length]) length = borders[length - 1] ?? 0;
    if (code[index] === code[length]) length += 1;
    borders.push(length);
  }
  return borders;
}

function matches(document: readonly string[], code: readonly string[], start: number): boolean {
  return code.every((line, index) => document[start + index] === line);
}
