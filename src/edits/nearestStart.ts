import type { Budget } from "./budget.ts";
import type { FileIndex } from "./fileIndex.ts";

/** Lines that occur more often say nothing about the place. */
const mostPositions = 20;

/**
 * Finds the place that old lines without a place probably mean: where most of the rarer ones stand at the right distance
 * from each other. Of several, that nearest to `line`. It is a guess: never apply anything there.
 */
export function nearestStart(index: FileIndex, old: readonly string[], line = 0): number | undefined {
  const votes = new Map<number, number>();
  for (const [at, text] of old.entries()) {
    const positions = text.trim() === "" ? [] : index.by("indentation").positionsOf(text.trim());
    if (positions.length > mostPositions) continue;
    for (const position of positions) votes.set(position - at, (votes.get(position - at) ?? 0) + 1);
  }
  let best: { readonly start: number; readonly count: number } | undefined;
  for (const [start, count] of votes) {
    if (start < 0 || (best && count < best.count)) continue;
    const isNearer = best && Math.abs(start - line) < Math.abs(best.start - line);
    if (!best || count > best.count || isNearer) best = { start, count };
  }
  return best?.start;
}

/** How much of the longer of two lines has to be the same, at its start and end, for them to be similar. */
const leastShare = 0.5;

/**
 * The same for old lines none of which is in the file: where a line is most similar to the longest of them. `undefined`
 * if none is, or if finding it takes too long.
 */
export function similarStart(
  { file }: FileIndex,
  old: readonly string[],
  line: number,
  budget: Budget,
): number | undefined {
  const texts = old.map((text) => text.trim());
  const longest = texts.reduce((best, text, at) => (text.length > (texts[best] ?? "").length ? at : best), 0);
  const wanted = texts[longest] ?? "";
  if (wanted === "" || !budget.take(file.lines.length)) return undefined;
  let best: { readonly start: number; readonly share: number } | undefined;
  for (const [position, text] of file.lines.entries()) {
    const start = position - longest;
    const share = shareOf(wanted, text.trim());
    if (start < 0 || share < (best?.share ?? leastShare)) continue;
    const isNearer = best && Math.abs(start - line) < Math.abs(best.start - line);
    if (!best || share > best.share || isNearer) best = { start, share };
  }
  return best?.start;
}

/** The part of the longer of two lines that both have at their starts and ends. */
function shareOf(one: string, other: string): number {
  const [least, most] = [Math.min(one.length, other.length), Math.max(one.length, other.length)];
  if (least < most * leastShare) return 0;
  let [head, tail] = [0, 0];
  while (head < least && one[head] === other[head]) head += 1;
  while (tail < least - head && one.at(-1 - tail) === other.at(-1 - tail)) tail += 1;
  return (head + tail) / most;
}
