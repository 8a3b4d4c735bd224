import type { TrackedHunk } from "./trackedHunk.ts";

/** A hunk in a document. The documents are only compared. */
interface PlacedHunk {
  readonly document: object;
  readonly hunk: Pick<TrackedHunk, "lines">;
}

/** The hunk whose lines, or whose place if all lines were removed, is at a line. */
export function hunkAt<H extends PlacedHunk>(hunks: readonly H[], line: number, lineCount: number): H | undefined {
  return hunks.find(({ hunk: { lines } }) => {
    const start = Math.min(lines.start, lineCount - 1);
    return start <= line && line < Math.max(lines.end, start + 1);
  });
}

/**
 * The next (1) or previous (-1) hunk from another one or from a line. After the last of a document comes the first of the
 * next document. The hunks of a document stand together, from top to bottom.
 */
export function hunkFrom<H extends PlacedHunk>(
  hunks: readonly H[],
  step: 1 | -1,
  from: H | { readonly document: object | undefined; readonly line: number },
): H | undefined {
  if (!("line" in from)) return hunks.at((hunks.indexOf(from) + step) % hunks.length);
  const isHere = ({ document }: H): boolean => document === from.document;
  const first = hunks.findIndex(isHere);
  if (first < 0) return hunks.at(step > 0 ? 0 : -1);
  const below = hunks.findIndex((one) => isHere(one) && one.hunk.lines.start > from.line);
  const next = below < 0 ? hunks.findLastIndex(isHere) + 1 : below;
  return hunks.at((step > 0 ? next : next - 1) % hunks.length);
}
