import { belowAnchors, type Place } from "./anchors.ts";
import type { FileIndex } from "./fileIndex.ts";
import type { Hunk } from "./operations.ts";
import type { AskedLines } from "./types.ts";

/**
 * The one of several equal places that a hunk means: the only one below its anchors, at the end of the file if the hunk
 * says so, or in the lines in question. The order of hunks decides nothing, because models swap them.
 */
export function choosePlace<P extends Place>(
  index: FileIndex,
  { anchors, isAtEnd }: Pick<Hunk, "anchors" | "isAtEnd">,
  places: readonly P[],
  asked: AskedLines | undefined,
): P | undefined {
  if (places.length <= 1) return places[0];
  if (isAtEnd) return only(places.filter(({ end }) => end === index.file.lines.length));
  const below = anchors.length > 0 ? belowAnchors(index, anchors, places) : places;
  if (below.length === 1) return below[0];
  const left = below.length > 0 ? below : places;
  if (!asked) return undefined;
  const inside = left.filter(({ start, end }) => start >= asked.start && end <= asked.end);
  const touching = left.filter(({ start, end }) => start < asked.end && end > asked.start);
  return only(inside.length > 0 ? inside : touching);
}

function only<T>(items: readonly T[]): T | undefined {
  return items.length === 1 ? items[0] : undefined;
}
