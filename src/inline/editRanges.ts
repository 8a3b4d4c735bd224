import { pathInLine } from "../edits/paths.ts";
import type { Section } from "../edits/readAnswer.ts";
import { readOperations } from "../edits/readOperations.ts";
import { endOfDiff, endsPatch, endsSearch, startsDiff, startsPatch, startsSearch } from "../edits/regions.ts";
import type { LineRange } from "../text/lineRange.ts";

/**
 * The lines of an answer that are edits: whole blocks, or patches outside of blocks, each with the line before that only
 * names its file.
 */
export function editRanges(answer: string, files: ReadonlyMap<string, unknown>): readonly LineRange[] {
  const { operations, sections } = readOperations(answer, files);
  const edits = operations.map(({ line }) => line);
  const ranges = sections.flatMap((section): readonly LineRange[] => {
    if (section.type === "plain") return rangesIn(section);
    const start = section.line;
    const end = start + section.lines.length + 2;
    return edits.some((line) => line >= start && line < end) ? [{ start, end }] : [];
  });
  const lines = answer.split("\n");
  return ranges.map(({ start, end }) => ({ start: startWithPath(lines, start, files), end }));
}

function rangesIn({ line, lines }: Section): readonly LineRange[] {
  const ranges: LineRange[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    const end = endOfEdit(lines, index);
    if (end === undefined) continue;
    ranges.push({ start: line + index, end: line + end });
    index = end - 1;
  }
  return ranges;
}

function endOfEdit(lines: readonly string[], start: number): number | undefined {
  const line = lines[start] ?? "";
  const isEnd = startsSearch(line) ? endsSearch : startsPatch(line) ? endsPatch : undefined;
  if (isEnd) {
    const end = lines.findIndex((text, index) => index > start && isEnd(text));
    return end < 0 ? lines.length : end + 1;
  }
  return startsDiff(lines, start) ? endOfDiff(lines, start).end : undefined;
}

/** The line before an edit, which may be separated by a blank one, if it only names a file. */
function startWithPath(lines: readonly string[], start: number, files: ReadonlyMap<string, unknown>): number {
  for (let above = start - 1; above >= Math.max(0, start - 2); above -= 1) {
    const line = lines[above] ?? "";
    if (line.trim() !== "") return pathInLine(line, files)?.isOnlyPath === true ? above : start;
  }
  return start;
}
