import type { Budget } from "./budget.ts";
import type { FileIndex } from "./fileIndex.ts";
import type { Hunk } from "./operations.ts";
import { type Placement, placeHunk } from "./placeHunk.ts";
import type { AskedLines } from "./types.ts";

const malformed: Placement = { type: "problem", kind: "malformed" };

/** Places a hunk that may be read in several ways: the only one that has a place is meant. */
export function placeReadings(
  index: FileIndex,
  readings: readonly Hunk[],
  asked: AskedLines | undefined,
  budget: Budget,
  times: number,
): readonly Placement[] {
  const all = readings.map((hunk) => {
    const placements = placeHunk(index, hunk, asked, budget, times);
    return hunk.isTorn === true && placements[0]?.type === "placed" ? [malformed] : placements;
  });
  const placed = all.filter((placements) => placements.every(({ type }) => type === "placed"));
  if (placed.length > 1) return [{ type: "problem", kind: "ambiguous" }];
  return placed[0] ?? all[0] ?? [malformed];
}
