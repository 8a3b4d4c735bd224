import { FileText } from "../change/fileText.ts";
import type { LineRange } from "../../text/lineRange.ts";

/** Where old lines come closest to a file, and the first line that differs. Numbers start from zero. */
export interface FirstDifference extends LineRange {
  /** The line of the file that differs. */
  readonly line: number;
  /** What the answer has there. */
  readonly expected: string;
  /** What the file has; `undefined` behind its end. */
  readonly actual: string | undefined;
}

/** Lines that occur more often say nothing about the place. */
const mostPositions = 20;

/** Finds the place that old lines without a place probably mean, to quote the code there. Never apply anything there. */
export function firstDifference(text: string, old: readonly string[]): FirstDifference | undefined {
  const { lines } = new FileText(text);
  const start = nearestStart(lines, old);
  const offset = old.findIndex((line, at) => lines[(start ?? 0) + at]?.trim() !== line.trim());
  if (start === undefined || offset < 0) return undefined;
  const line = start + offset;
  const end = Math.min(lines.length, start + old.length);
  return { start, end, line, expected: old[offset] ?? "", actual: lines[line] };
}

/** Where most of the rarer old lines stand at the right distance from each other. */
function nearestStart(lines: readonly string[], old: readonly string[]): number | undefined {
  const positions = Map.groupBy(lines.keys(), (line) => lines[line]?.trim() ?? "");
  const votes = new Map<number, number>();
  for (const [at, text] of old.entries()) {
    const those = text.trim() === "" ? [] : (positions.get(text.trim()) ?? []);
    if (those.length > mostPositions) continue;
    for (const position of those) votes.set(position - at, (votes.get(position - at) ?? 0) + 1);
  }
  const starts = [...votes].filter(([start]) => start >= 0);
  return starts.reduce<readonly [number, number] | undefined>(
    (best, one) => (best === undefined || one[1] > best[1] ? one : best),
    undefined,
  )?.[0];
}
