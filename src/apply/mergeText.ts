import { isDeepStrictEqual } from "node:util";
import { FileText } from "../edits/change/fileText.ts";
import type { LineEdit } from "../edits/types.ts";
import { diffLines } from "../text/diffLines.ts";
import { LineMap } from "./lineMap.ts";

/**
 * Makes the changes from `base` to `wanted` in `current`, a newer version of `base`, whose byte order mark and line endings
 * stay. `undefined` if both change the same lines differently, or add different lines at the same position.
 */
export function mergeText(base: string, wanted: string, current: string): string | undefined {
  const [old, desired, now] = [new FileText(base), new FileText(wanted), new FileText(current)];
  const map = new LineMap(old.lines, now.lines);
  const edits: LineEdit[] = [];
  for (const change of diffLines(old.lines, desired.lines)) {
    const lines = desired.lines.slice(change.newStart, change.newEnd);
    const other = map.changeOf(change);
    if (!other) edits.push({ ...map.positionOf(change), lines });
    else {
      const isSame = other.start === change.start && other.end === change.end;
      if (!isSame || !isDeepStrictEqual(now.lines.slice(other.newStart, other.newEnd), lines)) return undefined;
    }
  }
  return now.replace(edits);
}
