import { indentOf, isFilled } from "../../text/lines.ts";

const marker =
  (pattern: RegExp) =>
  (line: string): boolean =>
    pattern.test(line.trimStart());

/** The lines without what the first one starts with, if all lines that are not blank start with it. */
export function withoutStart(lines: readonly string[], start: string): readonly string[] {
  if (start === "" || lines.some((line) => isFilled(line) && !line.startsWith(start))) return lines;
  return lines.map((line) => line.slice(start.length));
}

export const startsSearch = marker(/^[<-]{5,}\s*SEARCH\s*(?:[>:]\s*)?$/);
export const endsSearch = marker(/^[>+]{5,}\s*REPLACE\s*$/);
export const startsPatch = marker(/^\*{3} Begin Patch\s*$/);
export const endsPatch = marker(/^\*{3} End Patch\s*$/);
const startsFile = marker(/^\*{3} (?:Update|Add|Delete) File:/);
const diffStart = marker(/^(?:diff --git |--- \S|@@ -\d+(?:,\d+)? \+\d)/);
const diffRow =
  /^(?:[ +\-\\@]|diff --git |index [\da-f]|(?:new|deleted|old) (?:file )?mode |similarity index |rename (?:from|to) )/;

/** Whether a unified diff starts with this line. Of the two lines with its paths, only both together count. */
export function startsDiff(lines: readonly string[], index: number): boolean {
  const line = lines[index] ?? "";
  return diffStart(line) && (!/^\s*--- /.test(line) || /^\s*\+\+\+ \S/.test(lines[index + 1] ?? ""));
}

/** Whether an edit with marks of its own starts with this line. */
export function startsEdit(lines: readonly string[], index: number): boolean {
  const line = lines[index] ?? "";
  return startsSearch(line) || startsPatch(line) || startsFile(line) || startsDiff(lines, index);
}

/** The end of a unified diff outside a block. Lines belong to it that have the marks of one, and blank lines between. */
export function endOfDiff(lines: readonly string[], start: number): number {
  const before = indentOf(lines[start] ?? "");
  let end = start + 1;
  for (let index = end; index < lines.length; index += 1) {
    const line = lines[index] ?? "";
    if (!isFilled(line)) continue;
    if (!line.startsWith(before) || !diffRow.test(line.slice(before.length))) break;
    end = index + 1;
  }
  return end;
}

/** Whether the last hunk of a unified diff has fewer lines than its header says. */
export function isShort(lines: readonly string[]): boolean {
  const start = lines.findLastIndex((line) => /^\s*@@/.test(line));
  const [, old = "1", added = "1"] = /@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(lines[start] ?? "") ?? [];
  const rows = lines.slice(start + 1).map((row) => row.slice(indentOf(lines[start] ?? "").length));
  const count = (other: string): number => rows.filter((row) => !row.startsWith(other)).length;
  return count("+") < Number(old) || count("-") < Number(added);
}
