import { diffLines } from "../../text/diffLines.ts";
import type { LineEdit } from "../types.ts";
import { FileText } from "./fileText.ts";

/**
 * Makes the changes from `base` to `wanted` in a text that has become `current` meanwhile, of which byte order mark and
 * line endings are kept. `undefined` if both change the same lines, or add some at the same place, each in its own way.
 */
export function mergeText(base: string, wanted: string, current: string): string | undefined {
  const [old, goal, own] = [new FileText(base), new FileText(wanted), new FileText(current)];
  const done = diffLines(old.lines, own.lines);
  const edits: LineEdit[] = [];
  for (const { start, end, newStart, newEnd } of diffLines(old.lines, goal.lines)) {
    const lines = goal.lines.slice(newStart, newEnd);
    const rival = done.find(
      (other) => (other.start === start && other.end === end) || (other.start < end && start < other.end),
    );
    if (rival) {
      const rivalLines = own.lines.slice(rival.newStart, rival.newEnd);
      const isSame = rival.start === start && rival.end === end && rivalLines.length === lines.length;
      if (isSame && lines.every((line, index) => line === rivalLines[index])) continue;
      return undefined;
    }
    // Lines added right here stand above.
    const above = done.findLast((other) => other.end <= start);
    const moved = above ? above.newEnd - above.end : 0;
    edits.push({ start: start + moved, end: end + moved, lines });
  }
  return own.replace(edits);
}
