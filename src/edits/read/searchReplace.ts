import { indentOf, isFilled } from "../../text/lines.ts";
import { endsSearch, startsSearch, withoutStart } from "./markers.ts";
import type { Hunk } from "./operations.ts";

/** A SEARCH/REPLACE block, read up to but excluding `end`. */
type SearchReplace =
  | { readonly type: "block"; readonly end: number; readonly hunk: Hunk }
  | { readonly type: "open" }
  | { readonly type: "malformed"; readonly end: number };

/** Reads the SEARCH/REPLACE block that starts at a line. Where its middle is in doubt, it is malformed. */
export function readSearchReplace(lines: readonly string[], start: number): SearchReplace {
  const separators: number[] = [];
  let end = start + 1;
  for (; end < lines.length && !endsSearch(lines[end] ?? ""); end += 1) {
    if (startsSearch(lines[end] ?? "")) return { type: "malformed", end };
    if (/^\s*={5,}\s*$/.test(lines[end] ?? "")) separators.push(end);
  }
  if (end === lines.length) return { type: "open" };
  const usual = separators.filter((index) => lines[index]?.trim() === "=======");
  const [separator, ...others] = usual.length > 0 ? usual : separators;
  if (separator === undefined || others.length > 0) return { type: "malformed", end: end + 1 };
  // The marker's indentation is that of all lines if they have it.
  const inside = withoutStart(lines.slice(start, end), indentOf(lines[start] ?? ""));
  const old = inside.slice(1, separator - start).map((text) => ({ text }));
  const hunk = { old: old.some(({ text }) => isFilled(text)) ? old : [], lines: inside.slice(separator - start + 1) };
  return { type: "block", end: end + 1, hunk: { ...hunk, anchors: [], isAtEnd: false } };
}
