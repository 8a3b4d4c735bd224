import { indentOf, isFilled } from "../text/lines.ts";
import { alignHunk } from "./alignHunk.ts";
import { diffLines, type LineChange } from "./diffLines.ts";
import type { FileIndex } from "./fileIndex.ts";
import { type IndentPair, indentRule, type IndentRule, withoutIndent } from "./indentation.ts";
import { inStyle } from "./indentStyle.ts";
import type { Hunk, OldLine } from "./operations.ts";

/** Old lines of a file and the lines that replace them. */
export interface Run {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
}

/** The changed lines of a hunk at a place, and how they were found. */
export interface PlacedRuns {
  readonly runs: readonly Run[];
  readonly isUniform: boolean;
}

/**
 * The changed lines of a hunk in the file, where `lineOf` gives the file's line for each old line, or -1. Unchanged
 * lines stay as the file has them; new lines get its indentation. `undefined` if that cannot be said for sure.
 */
export function placeRuns(index: FileIndex, given: Hunk, lineOf: readonly number[]): PlacedRuns | undefined {
  const { file } = index;
  const textAt = (index: number): string => file.lines[lineOf[index] ?? -1] ?? "";
  const inFile = given.old.map((_, index) => textAt(index));
  const hunk = alignHunk(given, inFile, index.style);
  if (!hunk) return undefined;
  const old = hunk.old.map(({ text }) => text);
  const changes = changesOf(hunk);
  const added = changes.flatMap(({ newStart, newEnd }) => hunk.lines.slice(newStart, newEnd));
  const rule = ruleFor(index, hunk.old, textAt, [...added, ...old]);
  const hasTrailing = old.some((line, index) => isLonger(line, textAt(index)));
  const runs: Run[] = [];
  for (const { start, end, newStart, newEnd } of changes) {
    const range = rangeOf(file.lines, old, lineOf, start, end);
    if (range === undefined) return undefined;
    // Where removed lines have marks, those without stay.
    const isMarked = start < end && hunk.old.slice(start, end).every(({ isRemoved }) => isRemoved);
    if (range.isDoubtful && !isMarked && isOneSided(old.slice(start, end), hunk.lines.slice(newStart, newEnd))) {
      return undefined;
    }
    const removed = filledIndexes(old, start, end);
    const news = hunk.lines.slice(newStart, newEnd);
    const isPairwise = removed.length === news.filter(isFilled).length;
    let filled = 0;
    const lines: string[] = [];
    for (const line of news) {
      const text = hasTrailing ? line.trimEnd() : line;
      if (text.trim() === "") {
        lines.push(text);
        continue;
      }
      const indent =
        rule.translate(indentOf(text)) ?? (isPairwise ? indentOf(textAt(removed[filled] ?? -1)) : undefined);
      if (indent === undefined) return undefined;
      lines.push(indent + withoutIndent(text));
      filled += 1;
    }
    runs.push({ start: range.start, end: range.end, lines });
  }
  return { runs, isUniform: rule.isUniform };
}

/** The changes of a hunk. Lines that are marked as context never change. */
export function changesOf({ old, lines, marked }: Hunk): readonly LineChange[] {
  const texts = old.map(({ text }) => text);
  if (!marked) return diffLines(texts, lines);
  return marked.flatMap(({ start, end, newStart, newEnd }) =>
    diffLines(texts.slice(start, end), lines.slice(newStart, newEnd)).map((change) => ({
      start: change.start + start,
      end: change.end + start,
      newStart: change.newStart + newStart,
      newEnd: change.newEnd + newStart,
    })),
  );
}

/** How indentation translates. Where context and removed lines disagree, the latter tell more about new lines. */
function ruleFor(
  { style }: FileIndex,
  old: readonly OldLine[],
  textAt: (index: number) => string,
  lines: readonly string[],
): IndentRule {
  const filled = old.flatMap((line, index) => (line.text.trim() === "" ? [] : [{ line, file: textAt(index) }]));
  const pairsOf = (isWanted: (line: OldLine) => boolean): readonly IndentPair[] =>
    filled.flatMap(({ line, file }) => (isWanted(line) ? [pairOf(line, file)] : []));
  const all = pairsOf(() => true);
  // A single blank aligns comments.
  if (all.every(({ answer, file }) => answer === file && /^ ?$/.test(file))) {
    return { isUniform: true, isKnown: true, translate: (indent) => inStyle(indent, style) };
  }
  return indentRule(all, lines, style.unit);
}

function pairOf({ text, unstripped }: OldLine, file: string): IndentPair {
  // The blank that marks context was left out, so that what looks like it belongs to the code.
  const isBare = unstripped?.trimEnd() === file.trimEnd();
  return { answer: indentOf(isBare ? unstripped : text), file: indentOf(file) };
}

/** Whether the answer's line ends in white space that the file's line does not have. */
function isLonger(line: string, inFile: string): boolean {
  return line.trim() !== "" && line.length - line.trimEnd().length > inFile.length - inFile.trimEnd().length;
}

function filledIndexes(old: readonly string[], start: number, end: number): readonly number[] {
  const indexes: number[] = [];
  for (let index = start; index < end; index += 1) if (old[index]?.trim() !== "") indexes.push(index);
  return indexes;
}

/**
 * The file's lines for the old lines from `start` to `end`. They are doubtful where the answer has more or fewer blank
 * lines next to them than the file.
 */
function rangeOf(
  lines: readonly string[],
  old: readonly string[],
  lineOf: readonly number[],
  start: number,
  end: number,
): { readonly start: number; readonly end: number; readonly isDoubtful: boolean } | undefined {
  const placed = lineOf.slice(start, end).filter((line) => line >= 0);
  const above = start > 0 ? (lineOf[start - 1] ?? -1) : undefined;
  const below = end < old.length ? (lineOf[end] ?? -1) : undefined;
  const first = placed[0];
  const last = placed.at(-1);
  if (first !== undefined && last !== undefined) {
    // A blank line between them that only the file has may have to stay.
    if (last + 1 - first > end - start) return undefined;
    const isDoubtful =
      (above !== undefined && above + 1 !== first) ||
      (below !== undefined && below !== last + 1) ||
      placed.length < end - start;
    return { start: first, end: last + 1, isDoubtful };
  }
  if (start < end) return undefined;
  const isBelowFound = below !== undefined && below >= 0;
  if (above !== undefined && above >= 0) {
    if (isBelowFound && below !== above + 1) return undefined;
    return { start: above + 1, end: above + 1, isDoubtful: false };
  }
  if (isBelowFound) return { start: below, end: below, isDoubtful: false };
  return lines.length === 0 ? { start: 0, end: 0, isDoubtful: false } : undefined;
}

/** Whether lines are only removed or only added, blank ones aside. */
function isOneSided(removed: readonly string[], added: readonly string[]): boolean {
  return !removed.some(isFilled) || !added.some(isFilled);
}
