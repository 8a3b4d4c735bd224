import { indentOf, isFilled } from "../../text/lines.ts";
import { endsSearch, startsSearch } from "./markers.ts";
import type { Hunk } from "./operations.ts";
import { withoutStart } from "./withoutStart.ts";

/** A SEARCH/REPLACE block, read from `start` up to but excluding `end`. */
type SearchReplace =
  | { readonly type: "block"; readonly end: number; readonly readings: readonly Hunk[] }
  | { readonly type: "open" }
  | { readonly type: "malformed"; readonly end: number };

/** The most separators that may be in doubt. */
const mostReadings = 8;

/** Reads the SEARCH/REPLACE block that starts at a line. */
export function readSearchReplace(lines: readonly string[], start: number): SearchReplace {
  const separators: number[] = [];
  let end = start + 1;
  for (; end < lines.length && !endsSearch(lines[end] ?? ""); end += 1) {
    if (startsSearch(lines[end] ?? "")) return { type: "malformed", end };
    if (/^\s*={5,}\s*$/.test(lines[end] ?? "")) separators.push(end);
  }
  if (end === lines.length) return { type: "open" };
  // The marker's indentation is that of all lines if they have it.
  const inside = withoutStart(lines.slice(start, end), indentOf(lines[start] ?? ""));
  const usual = separators.filter((index) => lines[index]?.trim() === "=======");
  const likely = usual.length > 0 ? usual : separators;
  if (likely.length === 0 || likely.length > mostReadings) return { type: "malformed", end: end + 1 };
  const readings = likely.map((separator, at): Hunk => {
    const old = inside.slice(1, separator - start);
    return {
      // More separators in the new lines than in the old ones are probably none of the code's.
      isTorn: at < likely.length - 1 - at,
      old: old.some(isFilled) ? old.map((text) => ({ text })) : [],
      lines: inside.slice(separator - start + 1),
      anchors: [],
      isAtEnd: false,
    };
  });
  return { type: "block", end: end + 1, readings };
}
