import type { Change } from "./change.ts";
import { type DescribedChange, lineTokens } from "./describeChanges.ts";

/** A file's diff as it is sent. */
export interface FittedDiff {
  readonly change: Change;
  readonly name: string;
  readonly lines: readonly string[];
  /** Whether lines are missing at the end. */
  readonly isCut: boolean;
}

/** Tokens that a diff costs in addition to its name and lines: fence, heading and note. */
const frame = 30;

/** Least tokens of a diff; fewer are not worth sending. */
const leastUseful = 20;

/** Tokens that a useful part of a diff costs with its frame. */
const usefulCost = 120;

/**
 * Fits diffs into `budget` tokens, each into `perFile`. The largest are cut first: all diffs up to some size are whole,
 * and larger ones get just this size.
 */
export function fitDiffs(files: readonly DescribedChange[], budget: number, perFile: number): readonly FittedDiff[] {
  const withDiff = files.filter(({ diff }) => diff.length > 0);
  // Some lines of the first files say more than one line of each.
  const most = Math.floor(budget / usefulCost);
  const costs = withDiff.map(({ name, size }, index) => (index < most ? Math.min(size, perFile) + headOf(name) : 0));
  const limit = commonLimit(costs, budget);
  return withDiff.map(({ change, name, diff }, index) => {
    const room = Math.min(costs[index] ?? 0, limit) - headOf(name);
    const lines = room < Math.min(leastUseful, (costs[index] ?? 0) - headOf(name)) ? [] : firstLines(diff, room);
    return { change, name, lines, isCut: lines.length < diff.length };
  });
}

function headOf(name: string): number {
  return lineTokens(name) + frame;
}

/** The highest limit for which the costs, each cut to it, stay within the budget. */
function commonLimit(costs: readonly number[], budget: number): number {
  let left = budget;
  const ascending = costs.toSorted((a, b) => a - b);
  for (const [index, cost] of ascending.entries()) {
    const share = left / (ascending.length - index);
    if (cost > share) return share;
    left -= cost;
  }
  return Infinity;
}

function firstLines(lines: readonly string[], budget: number): readonly string[] {
  let left = budget;
  const end = lines.findIndex((line) => {
    left -= lineTokens(line);
    return left < 0;
  });
  return end < 0 ? lines : lines.slice(0, end);
}
