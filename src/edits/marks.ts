/** A line that marks a part of an edit, perhaps decorated or with escaped brackets. */
const mark =
  /^(?:\W*(?:<|&lt;)+\s*SEARCH|\W*(?:>|&gt;)+\s*REPLACE|\s*\*{3} (?:(?:Begin|End) Patch|(?:Update|Add|Delete) File: .+))\W*$/;

/** The longest line that is looked at; marks are short. */
const longest = 300;

/**
 * Whether lines have marks of an edit. If the old lines have none, the marks belong to an edit in an unknown format, and
 * would end up in the code.
 */
export function hasMarks(lines: readonly string[]): boolean {
  return lines.some(isMark) || isConflict(lines);
}

function isMark(line: string): boolean {
  return line.length <= longest && mark.test(line);
}

/** Whether some lines are old and new code between marks, as in a conflict of Git. */
function isConflict(lines: readonly string[]): boolean {
  const start = lines.findIndex((line) => /^\s*<{5,}(?:\s|$)/.test(line));
  const middle = lines.findIndex((line, index) => index > start && /^\s*={5,}\s*$/.test(line));
  return start >= 0 && middle > start && lines.some((line, index) => index > middle && /^\s*>{5,}(?:\s|$)/.test(line));
}
