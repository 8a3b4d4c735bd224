import { indentOf, isFilled } from "../text/lines.ts";
import type { IndentStyle } from "./indentStyle.ts";
import { type KeptLine, keptLines } from "./keptLines.ts";
import type { Hunk } from "./operations.ts";

/**
 * Gives a hunk the indentation of the file where only some of its lines have another one. `inFile` are the old lines.
 * `undefined` if its lines contradict each other.
 */
export function alignHunk(hunk: Hunk, inFile: readonly string[], style: IndentStyle): Hunk | undefined {
  if (hunk.marked) return withMarksApart(hunk, inFile, style);
  const aligned = withFirstLine(hunk, inFile) ?? withOldLines(hunk, inFile) ?? hunk;
  return aligned === "unclear" ? undefined : aligned;
}

/** A block whose text was trimmed, so that only its first lines lost their indentation. */
function withFirstLine({ old, lines, ...hunk }: Hunk, inFile: readonly string[]): Hunk | undefined {
  const [first, ...others] = old;
  const [line = "", ...added] = lines;
  const indent = indentOf(inFile[0] ?? "");
  const isTrimmed = first && indent !== "" && isFilled(first.text) && indentOf(first.text) === "";
  const isElsewhereRight = others.every(({ text }, at) => !isFilled(text) || hasIndentOf(text, inFile[at + 1]));
  if (!isTrimmed || !isElsewhereRight || !others.some(({ text }) => isFilled(text))) return undefined;
  const given = isFilled(line) && indentOf(line) === "" ? indent + line : line;
  return { ...hunk, old: [{ ...first, text: indent + first.text }, ...others], lines: [given, ...added] };
}

/**
 * A block whose old lines alone are shifted: those of them that stay are indented in the new lines as in the file.
 * `undefined` if the two sides agree, and "unclear" if they do not, but not as a whole.
 */
function withOldLines(hunk: Hunk, inFile: readonly string[]): Hunk | "unclear" | undefined {
  const { old, lines } = hunk;
  const texts = old.map(({ text }) => text);
  const isShifted = texts.some((text, at) => isFilled(text) && !hasIndentOf(text, inFile[at]));
  if (!isShifted || leastIndent(texts) === leastIndent(lines)) return undefined;
  const all = keptLines(inFile, lines, (line) => line.trim());
  const kept = all.filter(({ at }) => !hasIndentOf(texts[at] ?? "", inFile[at]));
  const isRight = ({ at, newAt }: KeptLine): boolean => hasIndentOf(lines[newAt] ?? "", inFile[at]);
  // Those in the middle may get another indentation by the edit.
  const right = [...kept.slice(0, 1), ...kept.slice(-1)].filter(isRight);
  if (right.length < 2) return right.length === 0 ? undefined : "unclear";
  return { ...hunk, old: old.map((line, at) => ({ ...line, text: inFile[at] ?? line.text })) };
}

function leastIndent(lines: readonly string[]): number {
  let least = Infinity;
  for (const line of lines) if (isFilled(line)) least = Math.min(least, indentOf(line).length);
  return least;
}

/** A patch with a blank between its marks and the code, or without the one that marks context. */
function withMarksApart(hunk: Hunk, inFile: readonly string[], style: IndentStyle): Hunk {
  const context = hunk.old.flatMap((line, at) =>
    line.isRemoved === true || !isFilled(line.text) ? [] : [{ ...line, file: inFile[at] ?? "" }],
  );
  const isRight = context.every(({ text, file }) => hasIndentOf(text, file));
  if (isRight && isTold(hunk, inFile, style, (indent) => (indent.startsWith(" ") ? indent.slice(1) : undefined))) {
    return withChanged(hunk, (text) => text.slice(1));
  }
  const isBare = context.every(({ text, unstripped = text, file }) => unstripped.trimEnd() === file.trimEnd());
  if (isBare && isTold(hunk, inFile, style, (indent) => ` ${indent}`)) return withChanged(hunk, (text) => ` ${text}`);
  return hunk;
}

/**
 * Whether the changed lines of a hunk have to be indented otherwise. Removed lines tell; if there are none, the first
 * added line has to get the indentation of the line above or below it, in a file without odd ones.
 */
function isTold(
  { old, lines, marked = [] }: Hunk,
  inFile: readonly string[],
  { isEven, unit }: IndentStyle,
  change: (indent: string) => string | undefined,
): boolean {
  const added = marked.flatMap(({ newStart, newEnd }) => lines.slice(newStart, newEnd)).filter(isFilled);
  if (added.length === 0 || added.some((line) => change(indentOf(line)) === undefined)) return false;
  const removed = old.flatMap(({ text, isRemoved }, at) => (isRemoved === true && isFilled(text) ? [at] : []));
  if (removed.length > 0) {
    return removed.every((at) => change(indentOf(old[at]?.text ?? "")) === indentOf(inFile[at] ?? ""));
  }
  if (!isEven) return false;
  return marked.every(({ start, newStart, newEnd }) => {
    const first = lines.slice(newStart, newEnd).find(isFilled);
    if (first === undefined) return true;
    // A single blank aligns the lines of a comment.
    if (first.trimStart().startsWith("*")) return false;
    const above = inFile.slice(0, start).findLast(isFilled);
    const below = inFile.slice(start).find(isFilled);
    const inside = above !== undefined && /[{([:]$/.test(above) ? [indentOf(above) + " ".repeat(unit)] : [];
    const around = [above, below].flatMap((line) => (line === undefined ? [] : [indentOf(line)]));
    const indent = indentOf(first);
    return !around.includes(indent) && [...around, ...inside].includes(change(indent) ?? indent);
  });
}

/** The hunk with other removed and added lines. Those of its context are the same on both sides. */
function withChanged({ old, lines, marked = [], ...hunk }: Hunk, change: (text: string) => string): Hunk {
  const changed = (text: string): string => (isFilled(text) ? change(text) : text);
  const isAdded = new Set(marked.flatMap(({ newStart, newEnd }) => positions(newStart, newEnd)));
  return {
    ...hunk,
    marked,
    old: old.map((line) => (line.isRemoved === true ? { ...line, text: changed(line.text) } : line)),
    lines: lines.map((line, at) => (isAdded.has(at) ? changed(line) : line)),
  };
}

function positions(start: number, end: number): readonly number[] {
  return Array.from({ length: end - start }, (_, offset) => start + offset);
}

function hasIndentOf(line: string, other = ""): boolean {
  return indentOf(line) === indentOf(other);
}
