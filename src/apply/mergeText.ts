import { isDeepStrictEqual } from "node:util";
import { FileText } from "../edits/change/fileText.ts";
import type { LineEdit } from "../edits/types.ts";
import { diffLines } from "../text/diffLines.ts";
import { LineMap } from "./lineMap.ts";

/**
 * Makes the changes from `base` to `wanted` in `current`, a newer version of `base`, whose byte order mark and line
 * endings stay. `undefined` if both change the same lines, or add some at the same position, each in its own way.
 */
export function mergeText(base: string, wanted: string, current: string): string | undefined {
  const [old, goal, own] = [new FileText(base), new FileText(wanted), new FileText(current)];
  const map = new LineMap(old.lines, own.lines);
  const edits: LineEdit[] = [];
  for (const change of diffLines(old.lines, goal.lines)) {
    const lines = goal.lines.slice(change.newStart, change.newEnd);
    const rival = map.changeOf(change);
    if (!rival) edits.push({ ...map.positionOf(change), lines });
    else {
      const isSame = rival.start === change.start && rival.end === change.end;
      if (!isSame || !isDeepStrictEqual(own.lines.slice(rival.newStart, rival.newEnd), lines)) return undefined;
    }
  }
  return own.replace(edits);
}
