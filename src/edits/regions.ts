/** Lines of an answer from `start` up to but excluding `end`. */
export interface Region {
  readonly start: number;
  readonly end: number;
}

/** The prefix of lines in quotes and lists. */
const prefix = "^((?: {0,3}> )*[ \\t]*)";
const searchStart = new RegExp(`${prefix}[<-]{5,}\\s*SEARCH\\s*(?:[>:]\\s*)?$`);
const searchEnd = new RegExp(`${prefix}[>+]{5,}\\s*REPLACE\\s*$`);
const patchStart = new RegExp(`${prefix}\\*{3} Begin Patch\\s*$`);
const patchEnd = new RegExp(`${prefix}\\*{3} End Patch\\s*$`);
const diffStart = new RegExp(`${prefix}(?:diff --git |--- \\S|@@ -\\d+(?:,\\d+)? \\+\\d)`);
const diffLine =
  /^(?:[ +\-\\@]|diff --git |index [\da-f]|(?:new|deleted|old) (?:file )?mode |similarity index |rename (?:from|to) )/;

/** Whether a line starts a SEARCH block. */
export function startsSearch(line: string): boolean {
  return searchStart.test(line);
}

export function endsSearch(line: string): boolean {
  return searchEnd.test(line);
}

export function startsPatch(line: string): boolean {
  return patchStart.test(line);
}

export function endsPatch(line: string): boolean {
  return patchEnd.test(line);
}

/** Whether a unified diff starts with this line. Of the two lines with its paths, only both together count. */
export function startsDiff(lines: readonly string[], index: number): boolean {
  const line = lines[index] ?? "";
  if (!diffStart.test(line)) return false;
  return !/^[\s>]*--- /.test(line) || /^[\s>]*\+\+\+ \S/.test(lines[index + 1] ?? "");
}

/** Where a unified diff outside a block ends. */
export interface DiffEnd {
  readonly end: number;
  /** Whether what follows may belong to it: rows after more lines than the header says. */
  readonly isDoubtful: boolean;
}

/**
 * Finds the end of a unified diff that starts at `start`. Until there are as many lines as its last header says, other
 * lines count as context that lost its blank.
 */
export function endOfDiff(lines: readonly string[], start: number): DiffEnd {
  const [, before = ""] = diffStart.exec(lines[start] ?? "") ?? [];
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
export function countsOf(line: string): readonly [number, number] {
  const match = /^[\s>]*@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line);
  return match ? [Number(match[1] ?? 1), Number(match[2] ?? 1)] : [-1, -1];
}

/**
 * Replaces the lines of edits that have an end of their own with a plain word. This keeps Markdown from reading fences
 * and HTML in their code as its own.
 */
export function maskRegions(lines: readonly string[]): readonly string[] {
  const masked = [...lines];
  const regions = [...markedRegions(lines, patchStart, patchEnd), ...markedRegions(lines, searchStart, searchEnd)];
  for (const region of [...regions, ...diffRegions(lines)]) {
    const [before = ""] = /^(?: {0,3}> )*[ \t]*/.exec(lines[region.start] ?? "") ?? [];
    for (let index = region.start; index < region.end; index += 1) {
      const line = lines[index] ?? "";
      const own =
        line.startsWith(before) || line.trim() === "" ? before : /^[ \t]*/.exec(line)?.[0].slice(0, before.length);
      masked[index] = `${own ?? ""}x`;
    }
  }
  return masked;
}

/** Regions between two markers with the same prefix, none of which has another start inside. */
function markedRegions(lines: readonly string[], start: RegExp, end: RegExp): readonly Region[] {
  const regions: Region[] = [];
  const ends = new Map<string, number>();
  for (let index = lines.length - 1; index >= 0; index -= 1) {
    const line = lines[index] ?? "";
    const closing = end.exec(line)?.[1];
    if (closing !== undefined) ends.set(closing, index + 1);
    const opening = start.exec(line)?.[1];
    if (opening === undefined) continue;
    const last = ends.get(opening);
    if (last !== undefined) regions.push({ start: index, end: last });
    ends.delete(opening);
  }
  return regions;
}

function diffRegions(lines: readonly string[]): readonly Region[] {
  const regions: Region[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    if (!startsDiff(lines, index)) continue;
    const { end } = endOfDiff(lines, index);
    regions.push({ start: index, end });
    index = end - 1;
  }
  return regions;
}
