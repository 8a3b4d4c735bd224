import { indentOf, hasText } from "../../text/lines.ts";

const marker =
  (pattern: RegExp) =>
  (line: string): boolean =>
    pattern.test(line.trimStart());

export const startsSearch = marker(/^[<-]{5,}\s*SEARCH\s*(?:[>:]\s*)?$/);
export const endsSearch = marker(/^[>+]{5,}\s*REPLACE\s*$/);
export const beginsPatch = marker(/^\*{3} Begin Patch\s*$/);
const endsPatch = marker(/^\*{3} End Patch\s*$/);
/** The first line of a file in a patch. */
const startsFile = marker(/^\*{3} (?:Update|Add|Delete) File:/);
/** That line, perhaps misspelled. Without one, "*** Begin Patch" may be a text about patches. */
const startsMark = marker(/^\*{3}/);
const diffStart = marker(/^(?:diff --git |--- \S|@@ -\d+(?:,\d+)? \+\d)/);
const diffRow =
  /^(?:[ +\-\\@]|\*{3} |diff --git |index [\da-f]|(?:new|deleted|old) (?:file )?mode |(?:dis)?similarity index |(?:rename|copy) (?:from|to) |Binary files |GIT binary)/;

/** Whether a unified diff starts with this line. Its two lines with paths count only together. */
export function startsDiff(lines: readonly string[], index: number): boolean {
  const line = lines[index] ?? "";
  return diffStart(line) && (!/^\s*--- /.test(line) || /^\s*\+\+\+ \S/.test(lines[index + 1] ?? ""));
}

/** Whether a patch starts with this line, followed by its first file. */
export function startsPatch(lines: readonly string[], index: number): boolean {
  if (startsFile(lines[index] ?? "")) return true;
  if (!beginsPatch(lines[index] ?? "")) return false;
  return startsMark(lines[nextNonBlank(lines, index)] ?? "");
}

/** The next line that is not blank. */
function nextNonBlank(lines: readonly string[], index: number): number {
  let next = index + 1;
  while (next < lines.length && !hasText(lines[next] ?? "")) next += 1;
  return next;
}

/** Whether an edit with marks of its own starts with this line. */
export function startsEdit(lines: readonly string[], index: number): boolean {
  return startsSearch(lines[index] ?? "") || startsPatch(lines, index) || startsDiff(lines, index);
}

/**
 * The end of a unified diff outside a block: the first line without a mark. A blank line ends it as well, if a list or a rule
 * follows and the hunk has all lines of its header.
 */
export function endOfDiff(lines: readonly string[], start: number): number {
  const before = indentOf(lines[start] ?? "");
  let [end, left] = [start + 1, hunkCounts(lines[start]?.trimStart() ?? "")];
  for (let index = end; index < lines.length; index += 1) {
    const line = lines[index] ?? "";
    if (!hasText(line) && line !== `${before} `) continue;
    const [row, blank] = [line.slice(before.length), index - end];
    if (!line.startsWith(before) || !diffRow.test(row)) break;
    if (blank > 0 && left?.every((count) => count <= blank) === true && /^(?:[-+] \S|-{3,}$)/.test(row)) break;
    const isIn = [!row.startsWith("+"), !row.startsWith("-")];
    left = hunkCounts(row) ?? left?.map((count, side) => count - blank - (isIn[side] === true ? 1 : 0));
    end = index + 1;
  }
  return end;
}

/** The numbers of old and new lines in the header of a hunk. */
function hunkCounts(row: string): readonly number[] | undefined {
  const [match, old = "1", added = "1"] = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(row) ?? [];
  return match === undefined ? undefined : [Number(old), Number(added)];
}

/**
 * The end of a patch or SEARCH/REPLACE block. Without a mark of its own, it ends where another one or a fence starts. In a
 * patch, a mark that is indented more than the first one is context, unless it is the last line.
 */
export function endOfMarked(
  lines: readonly string[],
  start: number,
): { readonly end: number; readonly isClosed: boolean } {
  const isSearch = startsSearch(lines[start] ?? "");
  const [begins, ends] = isSearch ? [startsSearch, endsSearch] : [beginsPatch, endsPatch];
  const { length: margin } = indentOf(lines[start] ?? "");
  for (let end = start + 1; end < lines.length; end += 1) {
    const line = lines[end] ?? "";
    const isContext = !isSearch && indentOf(line).length > margin;
    if (ends(line) && (!isContext || nextNonBlank(lines, end) === lines.length))
      return { end: end + 1, isClosed: true };
    // All rows of a patch begin with a mark, so a line that begins with a fence is not one of them.
    if ((begins(line) && !isContext) || (!isSearch && /^(?:`{3}|~{3})/.test(line))) return { end, isClosed: false };
  }
  return { end: lines.length, isClosed: false };
}

/** The fence of a block that is marked as a diff. */
const opensDiff = /^\s*(?:`{3,}|~{3,})\s*(?:u?diff|patch)\b/i;

/**
 * The lines of an answer, with each character of the code in its patches, diffs and SEARCH/REPLACE blocks overwritten, so that no
 * fence in that code starts or ends a block of the answer. Lines that may be HTML or a link definition keep their text, because
 * they can hide other lines when the answer is rendered.
 */
export function withBlankedEdits(lines: readonly string[]): readonly string[] {
  const plain = [...lines];
  for (let index = 0; index < lines.length; index += 1) {
    const isOnlyRows = opensDiff.test(lines[index] ?? "") && !startsEdit(lines, index + 1);
    const isDiff = isOnlyRows || startsDiff(lines, index);
    if (!isDiff && !startsEdit(lines, index)) continue;
    const marked = isDiff ? undefined : endOfMarked(lines, index);
    // A patch without its end ends like a diff: at the first row without a mark.
    const isRows = isDiff || (marked?.isClosed === false && startsPatch(lines, index));
    const end = isRows ? endOfDiff(lines, index) : (marked?.end ?? 0);
    for (let at = index + 1; (isRows || marked?.isClosed === true) && at < end; at += 1) {
      const row = lines[at] ?? "";
      if (!/<|\]:/.test(row)) plain[at] = row.replace(/\S/g, "x");
    }
    index = Math.max(index, end - 1);
  }
  return plain;
}

/** Whether the last hunk of a unified diff has fewer lines than its header says, or, without numbers, ends with a change. */
export function mayLackRows(lines: readonly string[]): boolean {
  const header = lines.findLast((line) => /^\s*@@/.test(line))?.trimStart();
  return lacksRows(lines) || (hunkCounts(header ?? "") === undefined && /^\s*[-+]/.test(lines.findLast(hasText) ?? ""));
}

/** Whether the last hunk of a unified diff has fewer lines than its header says. */
export function lacksRows(lines: readonly string[]): boolean {
  const start = lines.findLastIndex((line) => /^\s*@@/.test(line));
  const rows = lines.slice(start + 1).map((row) => row.slice(indentOf(lines[start] ?? "").length));
  const [old = 1, added = 1] = hunkCounts(lines[start]?.trimStart() ?? "") ?? [];
  const count = (other: string): number => rows.filter((row) => !row.startsWith(other)).length;
  return count("+") < old || count("-") < added;
}
