import { plainLine } from "../fileDiff.ts";
import type { ShownLine } from "./numberedDiff.ts";

/** Number of other positions at which a hunk is looked for. */
const mostOffsets = 20;

/** The lines of a file as a diff has them, without a byte order mark. */
export function comparable(lines: readonly string[]): readonly string[] {
  return lines.map((line, index) => plainLine(index === 0 ? withoutMark(line) : line));
}

/**
 * Where a line of a hunk stands in a file now, from 0: where all lines of the hunk stand, or else where the line stands
 * if it is the only one of its kind. `undefined` if it is changed, gone, or in doubt.
 */
export function standingLine(file: readonly string[], hunk: readonly ShownLine[], index: number): number | undefined {
  const line = hunk[index];
  if (!line) return undefined;
  const counts = countLines(file);
  const isUnique = (text: string): boolean => /[\p{L}\p{N}]/u.test(text) && counts.get(text)?.count === 1;
  const offsets = new Set([0]);
  for (const { raw, number } of hunk) {
    const found = counts.get(withoutMark(raw));
    if (found && isUnique(withoutMark(raw))) offsets.add(found.first - (number - 1));
    if (offsets.size > mostOffsets) break;
  }
  for (const offset of offsets) {
    if (hunk.every(({ raw, number }) => file[number - 1 + offset] === withoutMark(raw)))
      return line.number - 1 + offset;
  }
  const text = withoutMark(line.raw);
  return isUnique(text) ? counts.get(text)?.first : undefined;
}

function countLines(file: readonly string[]): ReadonlyMap<string, { readonly first: number; readonly count: number }> {
  const counts = new Map<string, { readonly first: number; readonly count: number }>();
  for (const [index, line] of file.entries()) {
    const { first, count } = counts.get(line) ?? { first: index, count: 0 };
    counts.set(line, { first, count: count + 1 });
  }
  return counts;
}

function withoutMark(line: string): string {
  return line.replace(/^\uFEFF/, "");
}
