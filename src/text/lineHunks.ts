import { diffLines, type LineChange } from "./diffLines.ts";
import type { LineRange } from "./lineRange.ts";

/** A change of this many lines, old and new together, takes in equal lines next to it that say nothing. */
const largeChange = 5;
/** Maximum number of equal lines that say nothing, and of visible characters in them, such as `}`. */
const sayingNothing = 4;

/** The changes that turn `before` into `after`, as a person would decide on them: in order, and never touching. */
export function lineHunks(before: readonly string[], after: readonly string[]): readonly LineChange[] {
  const joined: LineChange[] = [];
  for (const change of diffLines(before, after)) {
    const last = joined.at(-1);
    // Taken apart at a brace or a blank line, a large change would be hard to read.
    const joins = last && (isLarge(last) || isLarge(change)) && isTrivial(before, last.end, change.start);
    if (joins) joined[joined.length - 1] = { ...change, start: last.start, newStart: last.newStart };
    else joined.push(change);
  }
  return joined;
}

function isLarge({ start, end, newStart, newEnd }: LineChange): boolean {
  return end - start + newEnd - newStart >= largeChange;
}

function isTrivial(lines: readonly string[], start: number, end: number): boolean {
  if (end - start > sayingNothing) return false;
  return lines.slice(start, end).reduce((visible, line) => visible + line.trim().length, 0) <= sayingNothing;
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
