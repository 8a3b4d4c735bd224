import type { LineRange } from "../../text/lineRange.ts";

/** The prefix of lines in quotes and lists. */
const prefix = /^(?: {0,3}> )*[ \t]*/;
const searchStart = /^[<-]{5,}\s*SEARCH\s*(?:[>:]\s*)?$/;
const searchEnd = /^[>+]{5,}\s*REPLACE\s*$/;
const patchStart = /^\*{3} Begin Patch\s*$/;
const patchEnd = /^\*{3} End Patch\s*$/;
const diffStart = /^(?:diff --git |--- \S|@@ -\d+(?:,\d+)? \+\d)/;
const directive = /^\*{3} (?:Update|Add|Delete) File:/;
const diffLine =
  /^(?:[ +\-\\@]|diff --git |index [\da-f]|(?:new|deleted|old) (?:file )?mode |similarity index |rename (?:from|to) )/;

/** The prefix of a line in a quote or list. */
export function prefixOf(line: string): string {
  return prefix.exec(line)?.[0] ?? "";
}

function isMarker(line: string, marker: RegExp): boolean {
  return marker.test(line.slice(prefixOf(line).length));
}

/** Whether a line starts a SEARCH block. */
export function startsSearch(line: string): boolean {
  return isMarker(line, searchStart);
}

export function endsSearch(line: string): boolean {
  return isMarker(line, searchEnd);
}

export function startsPatch(line: string): boolean {
  return isMarker(line, patchStart);
}

export function endsPatch(line: string): boolean {
  return isMarker(line, patchEnd);
}

/** Whether a unified diff starts with this line. Of the two lines with its paths, only both together count. */
export function startsDiff(lines: readonly string[], index: number): boolean {
  const line = lines[index] ?? "";
  if (!isMarker(line, diffStart)) return false;
  return !/^[\s>]*--- /.test(line) || /^[\s>]*\+\+\+ \S/.test(lines[index + 1] ?? "");
}

/** Whether an edit with marks of its own starts with this line. */
export function startsEdit(lines: readonly string[], index: number): boolean {
  const line = lines[index] ?? "";
  return startsSearch(line) || startsPatch(line) || isMarker(line, directive) || startsDiff(lines, index);
}

/**
 * Finds the end of a unified diff outside a block. Until there are as many lines as its last header says, other lines
 * count as context that lost its blank. It is doubtful whether rows after that belong to it.
 */
export function endOfDiff(
  lines: readonly string[],
  start: number,
): { readonly end: number; readonly isDoubtful: boolean } {
  const before = prefixOf(lines[start] ?? "");
  let end = start + 1;
  let [oldLeft, newLeft] = countsOf(lines[start] ?? "");
  for (let index = end; index < lines.length; index += 1) {
    const line = lines[index] ?? "";
    const text = line.startsWith(before) ? line.slice(before.length) : line;
    const isComplete = oldLeft <= 0 && newLeft <= 0;
    const isRow = line.startsWith(before) && diffLine.test(text);
    if (text === "" || (text.trim() === "" && !isRow)) {
      if (!isComplete) [oldLeft, newLeft] = [oldLeft - 1, newLeft - 1];
      continue;
    }
    if (text.startsWith("```") || text.startsWith("~~~")) break;
    const isNext = /^(?:@@|diff --git |--- )/.test(text);
    if (isComplete && !isNext && (index > end || !isRow)) return { end, isDoubtful: isRow || index === end };
    if (text.startsWith("@@")) [oldLeft, newLeft] = countsOf(text);
    else if (/^[ +-]/.test(text) || !isRow) {
      if (!text.startsWith("+")) oldLeft -= 1;
      if (!text.startsWith("-")) newLeft -= 1;
    }
    end = index + 1;
  }
  return { end, isDoubtful: false };
}

/** The numbers of old and new lines that a hunk's header gives; -1 without. */
function countsOf(line: string): readonly [number, number] {
  const match = /^[\s>]*@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line);
  return match ? [Number(match[1] ?? 1), Number(match[2] ?? 1)] : [-1, -1];
}

/**
 * Whether the last hunk of a unified diff has fewer lines than its header says. At the end of the answer, where
 * `isLast`, its last line may itself be cut off.
 */
export function isCutOff(lines: readonly string[], isLast: boolean): boolean {
  const start = lines.findLastIndex((line) => /^[\s>]*@@/.test(line));
  const rows = lines.slice(start + 1);
  while (rows.at(-1) === "") rows.pop();
  if (isLast && (rows.length === 0 || /^(?:diff |index )/.test(rows.at(-1) ?? ""))) return true;
  const texts = rows.map((row) => row.replace(/^(?: {0,3}> )+/, ""));
  const [oldCount, newCount] = countsOf(lines[start] ?? "");
  const added = texts.filter((row) => row.startsWith("+")).length;
  const removed = texts.filter((row) => row.startsWith("-")).length;
  if (texts.length - added < oldCount || texts.length - removed < newCount) return true;
  return isLast && /^(?:[+-]|\s+$)/.test(texts.at(-1) ?? "") && lines.at(-1) !== "";
}

/**
 * Replaces the lines of edits that have an end of their own with a plain word. This keeps Markdown from reading fences
 * and HTML in their code as its own.
 */
export function maskEdits(lines: readonly string[]): readonly string[] {
  const masked = [...lines];
  for (const { start, end } of markedRanges(lines)) {
    const before = prefixOf(lines[start] ?? "");
    for (let index = start; index < end; index += 1) {
      const line = lines[index] ?? "";
      const isInside = line.startsWith(before) || line.trim() === "";
      masked[index] = `${isInside ? before : (/^[ \t]*/.exec(line)?.[0].slice(0, before.length) ?? "")}x`;
    }
  }
  return masked;
}

/** The edits that begin and end with marks of the same form, without another beginning between. */
function markedRanges(lines: readonly string[]): readonly LineRange[] {
  const ranges: LineRange[] = [];
  let [search, patch, diffEnd] = [-1, -1, 0];
  for (const [index, line] of lines.entries()) {
    if (startsSearch(line)) search = index;
    else if (startsPatch(line)) patch = index;
    else if (search >= 0 && endsSearch(line)) {
      ranges.push({ start: search, end: index + 1 });
      search = -1;
    } else if (patch >= 0 && endsPatch(line)) {
      ranges.push({ start: patch, end: index + 1 });
      patch = -1;
    } else if (index >= diffEnd && startsDiff(lines, index)) {
      diffEnd = endOfDiff(lines, index).end;
      ranges.push({ start: index, end: diffEnd });
    }
  }
  return ranges;
}
