import { diffLines, type LineChange } from "./diffLines.ts";
import type { LineRange } from "./lineRange.ts";

/** The number of lines, old and new together, from which a change is large. */
const minLargeChange = 5;
/** Maximum number of unchanged lines between two hunks that are merged, and the most visible characters in them, such as `}`. */
const maxTrivial = 4;

/** The hunks that turn `before` into `after`. Large hunks are merged across trivial lines, as a person reads them as one. */
export function lineHunks(before: readonly string[], after: readonly string[]): readonly LineChange[] {
  const joined: LineChange[] = [];
  for (const change of diffLines(before, after)) {
    const last = joined.at(-1);
    const joins = last && (isLarge(last) || isLarge(change)) && isTrivial(before, last.end, change.start);
    if (joins) joined[joined.length - 1] = { ...change, start: last.start, newStart: last.newStart };
    else joined.push(change);
  }
  return joined;
}

function isLarge({ start, end, newStart, newEnd }: LineChange): boolean {
  return end - start + newEnd - newStart >= minLargeChange;
}

function isTrivial(lines: readonly string[], start: number, end: number): boolean {
  if (end - start > maxTrivial) return false;
  return lines.slice(start, end).reduce((visible, line) => visible + line.trim().length, 0) <= maxTrivial;
}

/** The lines of a text once hunks, which are in order, are applied. */
export function withHunks(
  lines: readonly string[],
  hunks: readonly (LineRange & { readonly lines: readonly string[] })[],
): readonly string[] {
  const texts: (readonly string[])[] = [];
  let next = 0;
  for (const { start, end, lines: added } of hunks) {
    texts.push(lines.slice(next, start), added);
    next = end;
  }
  return [...texts, lines.slice(next)].flat();
}
