import { isDeepStrictEqual } from "node:util";
import { diffLines } from "../../text/diffLines.ts";
import { hasText } from "../../text/lines.ts";
import type { Hunk } from "../types.ts";

/** A line as an answer has it, and the same line in the file. */
interface SharedLine {
  readonly answer: string;
  readonly file: string;
}

/** What the answer has at the start of all its lines, and what the file has instead. */
interface Shift {
  readonly from: string;
  readonly to: string;
}

const noShift: Shift = { from: "", to: "" };

/** Gives a new line as the file would have it; `undefined` where that is not known. */
type Fit = (line: string) => string | undefined;

/** White space of any kind at the start of a line. */
function indentOf(line: string): string {
  return line.slice(0, line.length - line.trimStart().length);
}

/** The least indentation of lines that are not blank; the most if all are. */
function leastIndent(lines: readonly string[]): string {
  const filled = lines.filter(hasText).map(indentOf);
  if (filled.length > 0) return filled.reduce((least, one) => (one.length < least.length ? one : least));
  return lines.map(indentOf).reduce((most, one) => (one.length > most.length ? one : most), "");
}

function shifted({ from, to }: Shift, line: string): string | undefined {
  if (!hasText(line)) return line;
  const indent = indentOf(line);
  // Where one kind of indentation stands for another, nothing tells what deeper lines should have.
  const isKnown = to === "" || from === "" ? indent.startsWith(from) : indent === from;
  return isKnown ? to + line.slice(from.length) : undefined;
}

function explains(shift: Shift, { answer, file }: SharedLine): boolean {
  return indentOf(shifted(shift, answer) ?? "-") === indentOf(file);
}

/** The one shift of all lines. `undefined` if there is no such shift, or no line. */
function commonShift(shared: readonly SharedLine[]): Shift | undefined {
  const [first] = shared;
  if (!first) return undefined;
  let [from, to] = [indentOf(first.answer), indentOf(first.file)];
  while (from !== "" && from.at(-1) === to.at(-1)) [from, to] = [from.slice(0, -1), to.slice(0, -1)];
  return shared.every((line) => explains({ from, to }, line)) ? { from, to } : undefined;
}

function isAlike(line: SharedLine): boolean {
  return explains(noShift, line);
}

/** Whether an answer has white space at the end of a line that has none in the file. */
function hasStrayEnd({ answer, file }: SharedLine): boolean {
  return answer !== answer.trimEnd() && file === file.trimEnd();
}

function trimmed(lines: readonly string[]): readonly string[] {
  return lines.map((line) => line.trim());
}

/** The lines of a file that are among new ones, apart from white space around them. Blank lines do not count. */
function keptLines(
  old: readonly string[],
  lines: readonly string[],
): readonly (SharedLine & { readonly newAt: number })[] {
  const kept: (SharedLine & { newAt: number })[] = [];
  let [at, newAt] = [0, 0];
  const end = { start: old.length, end: old.length, newStart: lines.length, newEnd: lines.length };
  for (const change of [...diffLines(trimmed(old), trimmed(lines)), end]) {
    for (; at < change.start; at += 1, newAt += 1) {
      const [file = "", answer = ""] = [old[at], lines[newAt]];
      if (hasText(file)) kept.push({ newAt, file, answer });
    }
    [at, newAt] = [change.end, change.newEnd];
  }
  return kept;
}

/** The old lines of a hunk that its new ones are to be compared with, and how to give those the file's indentation. */
export interface HunkFit {
  readonly old: readonly string[];
  readonly fit: Fit;
}

/**
 * Finds by how much all of a hunk is shifted. `inFile` are the file's lines for its old ones, as far as it has them.
 * `undefined` where they prove no such shift.
 */
export function fitHunk(hunk: Hunk, inFile: readonly (string | undefined)[]): HunkFit | undefined {
  const { old, lines, marked } = hunk;
  const shared = sharedLines(old, inFile);
  const hasEnds = shared.some(hasStrayEnd);
  const fitBy = (shift: Shift): Fit => {
    return (line) => shifted(shift, hasEnds ? line.trimEnd() : line);
  };
  const shift = marked ? shiftOfMarked(hunk, inFile) : commonShift(shared);
  if (!shift) return undefined;
  const now = old.map((text, at) => inFile[at] ?? text);
  const changes = marked ?? [{ start: 0, end: now.length, newStart: 0, newEnd: lines.length }];
  const sides = changes.map(({ start, end, newStart, newEnd }) => {
    return [now.slice(start, end), lines.slice(newStart, newEnd)] as const;
  });
  const kept = sides.flatMap(([code, given]) => keptLines(code, given));
  if (shared.every(isAlike)) {
    // Perhaps the new lines alone have lost their indentation, as far as those tell that stay.
    const missing = marked || isDeepStrictEqual(trimmed(now), trimmed(lines)) ? undefined : missingBase(now, lines);
    const isLost = missing && kept.length > 0 && kept.every((line) => explains(missing, line));
    return { old, fit: fitBy(isLost ? missing : shift) };
  }
  // Perhaps the old lines alone are shifted. Then the first of the new ones stands where the file's does, and so do those that
  // stay. Marked lines may as well be further in than the context.
  const [first, newFirst] = [sides.flatMap(([code]) => code), sides.flatMap(([, given]) => given)].map(firstIndent);
  const isOnlyOld = first === newFirst && kept.every(isAlike) && (!marked || kept.length > 0);
  return isOnlyOld ? { old: now, fit: fitBy(noShift) } : { old, fit: fitBy(shift) };
}

function firstIndent(lines: readonly string[]): string {
  return indentOf(lines.find(hasText) ?? "");
}

function sharedLines(texts: readonly string[], inFile: readonly (string | undefined)[]): readonly SharedLine[] {
  return texts.flatMap((answer, at) => {
    const file = inFile[at];
    return file === undefined || !hasText(answer) ? [] : [{ answer, file }];
  });
}

/**
 * The shift of a hunk whose lines have marks. Models put a blank after the marks of changed lines, or leave out the one that
 * marks context; so lines that are added follow those that are removed, if there are any.
 */
function shiftOfMarked({ old, marked = [], unmarked = old }: Hunk, inFile: HunkLines): Shift | undefined {
  const isRemoved = Array<boolean>(old.length).fill(false);
  for (const { start, end } of marked) isRemoved.fill(true, start, end);
  const sharedWhere = (texts: readonly string[], which: boolean): readonly SharedLine[] =>
    sharedLines(
      texts.map((text, at) => (isRemoved[at] === which ? text : "")),
      inFile,
    );
  const [removed, context] = [sharedWhere(old, true), sharedWhere(old, false)];
  const isInPlace = context.every(isAlike) || sharedWhere(unmarked, false).every(isAlike);
  if (removed.length === 0) return isInPlace ? noShift : commonShift(context);
  const shift = commonShift(removed);
  return shift && (isInPlace || context.every((line) => explains(shift, line))) ? shift : undefined;
}

type HunkLines = readonly (string | undefined)[];

/** Indents an answer's lines like the code they replace or follow, if the answer has left that out. */
export function fitIndentation(code: readonly string[], lines: readonly string[]): readonly string[] {
  const shift = missingBase(code, lines) ?? noShift;
  return lines.map((line) => shifted(shift, line) ?? line);
}

/** The indentation that all of the code has and the answer has not: its first line has none, or so much less than the code's. */
function missingBase(code: readonly string[], lines: readonly string[]): Shift | undefined {
  const base = leastIndent(code);
  if (base === "" || leastIndent(lines) !== "") return undefined;
  const first = firstIndent(lines);
  const isLess = base + first === firstIndent(code);
  return first === "" || isLess ? { from: "", to: base } : undefined;
}

/**
 * The lines that replace code, shifted as one piece if their base indentation is missing, or if the lines that stay prove a
 * shift. `undefined` where it is open whether only the first line has lost its indentation.
 */
export function fitBlock(code: readonly string[], given: readonly string[]): readonly string[] | undefined {
  const kept = keptLines(code, given);
  const missing = missingBase(code, given);
  if (missing && isTorn(missing, given, kept)) return undefined;
  // If only white space differs, that is the change, and not how the answer was written.
  if (isDeepStrictEqual(trimmed(code), trimmed(given))) return given;
  const lines = kept.length > 1 && kept.every(hasStrayEnd) ? given.map((line) => line.trimEnd()) : given;
  const [base, least, proven] = [leastIndent(code), leastIndent(lines), commonShift(kept)];
  if (least === base) return lines;
  const shift = missing ?? (proven && shifted(proven, `${least}x`) === `${base}x` ? proven : noShift);
  const all = lines.map((line) => shifted(shift, line));
  return all.every((line) => line !== undefined) ? all : undefined;
}

/** Whether the first line alone has lost its indentation, as far as the lines below it tell that stay. */
function isTorn(missing: Shift, lines: readonly string[], kept: ReturnType<typeof keptLines>): boolean {
  const first = lines.findIndex(hasText);
  const others = kept.filter(({ newAt }) => newAt > first);
  const areInPlace = others.some(isAlike) && !others.some((line) => explains(missing, line));
  return areInPlace && leastIndent(lines.slice(first + 1)).startsWith(missing.to);
}
