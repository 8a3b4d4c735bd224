import { hidesText } from "../../text/unseen.ts";
import { areNumbered } from "../place/lineNumbers.ts";
import type { EditProblemKind } from "../types.ts";
import { isOmission } from "./omissions.ts";

/** A line that marks a part of an edit, perhaps decorated or with escaped brackets. */
const mark =
  /^(?:\W*(?:<|&lt;)+\s*SEARCH|\W*(?:>|&gt;)+\s*REPLACE|\s*\*{3} (?:(?:Begin|End) Patch|(?:Update|Add|Delete) File: .+))\W*$/;

/** The longest line that is looked at; marks are short. */
const longest = 300;

/**
 * Why new lines cannot be applied: they have marks of an edit, line numbers, invisible characters, or blanks that push
 * code out of view, that the old ones did not have, or they leave out code. `isPlain` is for lines outside a block, where
 * comments of HTML are hidden.
 */
export function flawOf(added: readonly string[], old: readonly string[], isPlain = false): EditProblemKind | undefined {
  if ((hasMarks(added) && !hasMarks(old)) || (areNumbered(added) && !areNumbered(old))) return "malformed";
  if (isPlain && added.some((line) => line.includes("<!--"))) return "html";
  if (hidesText(added, old)) return "unseen";
  const omissions = added.filter(isOmission);
  const known = omissions.length > 0 ? new Set(old.map((line) => line.trim())) : undefined;
  return omissions.every((line) => known?.has(line.trim())) ? undefined : "omission";
}

/**
 * Whether lines have marks of an edit, or old and new code between marks as in a conflict of Git. If the old lines have
 * none, the marks belong to an edit in an unknown format, and would end up in the code.
 */
export function hasMarks(lines: readonly string[]): boolean {
  const start = lines.findIndex((line) => /^\s*<{5,}(?:\s|$)/.test(line));
  const middle = lines.findIndex((line, index) => index > start && /^\s*={5,}\s*$/.test(line));
  const end = lines.findLastIndex((line) => /^\s*>{5,}(?:\s|$)/.test(line));
  const isConflict = start >= 0 && middle > start && end > middle;
  return isConflict || lines.some((line) => line.length <= longest && mark.test(line));
}
