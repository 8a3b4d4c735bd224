import type { LineRange } from "../../text/lineRange.ts";
import { indentOf, isFilled } from "../../text/lines.ts";
import type { FileIndex } from "./fileIndex.ts";

/** Lines that close a bracket or open a block. They do not end the part of a file that an anchor starts. */
const continuation = /^[)\]}{]/;

/** The longest part of a file that one anchor is followed through. */
const longestScope = 5_000;

/** The places that are below all anchors of a hunk; none if the anchors are not unique themselves. */
export function placesBelow<P extends LineRange>(
  index: FileIndex,
  anchors: readonly string[],
  places: readonly P[],
): readonly P[] {
  const scope = anchors.length > 0 ? scopeOf(index, anchors) : undefined;
  return scope ? places.filter(({ start, end }) => start >= scope.start && end <= scope.end) : [];
}

/** The line that the anchors name, if it is a whole line below which something can be inserted. */
export function anchorLine(index: FileIndex, anchors: readonly string[]): number | undefined {
  const scope = scopeOf(index, anchors);
  const line = scope && index.file.lines[scope.start]?.trim();
  return line !== undefined && line === anchors.at(-1)?.trim() && !/[(,]$/.test(line) ? scope?.start : undefined;
}

/** The part of the file that the anchors name, each in the part of the one before. Starts with the last anchor. */
function scopeOf(index: FileIndex, anchors: readonly string[]): LineRange | undefined {
  let scope: LineRange = { start: 0, end: index.file.lines.length };
  let from = 0;
  for (const anchor of anchors) {
    const { end: until } = scope;
    const [line, ...others] = index.linesLike(anchor).filter((at) => at >= from && at < until);
    if (line === undefined || others.length > 0) return undefined;
    const end = endOfScope(index.file.lines, line);
    // In text without indentation, everything below belongs to the anchor.
    scope = { start: line, end: end > line + 1 ? Math.min(end, until) : until };
    from = line + 1;
  }
  return scope;
}

/** The line after the part that starts with a line: what follows with more indentation. */
function endOfScope(lines: readonly string[], start: number): number {
  const width = indentOf(lines[start] ?? "").length;
  let end = start + 1;
  for (let index = end; index < Math.min(lines.length, start + longestScope); index += 1) {
    const line = lines[index] ?? "";
    if (!isFilled(line)) continue;
    const own = indentOf(line).length;
    if (own < width || (own === width && !continuation.test(line.trimStart()))) break;
    end = index + 1;
  }
  return end;
}
