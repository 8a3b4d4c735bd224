import { isDeepStrictEqual } from "node:util";
import { diffLines } from "../../text/diffLines.ts";
import { hasText, indentOf } from "../../text/lines.ts";
import type { Hunk } from "../types.ts";

/** A line as an answer has it, and the same line in the file. */
interface SharedLine {
  readonly answer: string;
  readonly file: string;
}

/** Whitespace at the start of all lines of an answer, and the file's whitespace in its place. */
interface Shift {
  readonly from: string;
  readonly to: string;
}

const noShift: Shift = { from: "", to: "" };

/** The file's lines for the old lines of a hunk, as far as it has them. */
type FileLines = readonly (string | undefined)[];

/** The smallest indentation of lines that are not blank; the largest one if all are blank. */
export function leastIndent(lines: readonly string[]): string {
  const filled = lines.filter(hasText).map(indentOf);
  if (filled.length > 0) return filled.reduce((least, one) => (one.length < least.length ? one : least));
  return lines.map(indentOf).reduce((most, one) => (one.length > most.length ? one : most), "");
}

/** A line of an answer with the indentation for the file; `undefined` if it cannot be derived from the shift. */
export function shifted({ from, to }: Shift, line: string): string | undefined {
  if (!hasText(line)) return line;
  const indent = indentOf(line);
  // The indentation of deeper lines cannot be derived from a shift between tabs and spaces.
  const isKnown = to === "" || from === "" ? indent.startsWith(from) : indent === from;
  return isKnown ? to + line.slice(from.length) : undefined;
}

function fitsShift(shift: Shift, { answer, file }: SharedLine): boolean {
  return indentOf(shifted(shift, answer) ?? "-") === indentOf(file);
}

/** The shift that all lines have in common, if any. */
function commonShift(shared: readonly SharedLine[]): Shift | undefined {
  const [first] = shared;
  if (!first) return undefined;
  const shift = shiftBetween(indentOf(first.answer), indentOf(first.file));
  return shared.every((line) => fitsShift(shift, line)) ? shift : undefined;
}

/** The shift that turns one indentation into another. */
function shiftBetween(answer: string, file: string): Shift {
  let [from, to] = [answer, file];
  while (from !== "" && from.at(-1) === to.at(-1)) [from, to] = [from.slice(0, -1), to.slice(0, -1)];
  return { from, to };
}

function hasSameIndent(line: SharedLine): boolean {
  return fitsShift(noShift, line);
}

function trimmed(lines: readonly string[]): readonly string[] {
  return lines.map((line) => line.trim());
}

/** The old lines that are also new lines, except for whitespace around them. Blank lines are left out. */
function unchangedLines(old: readonly string[], lines: readonly string[]): readonly SharedLine[] {
  const unchanged: SharedLine[] = [];
  let [at, newAt] = [0, 0];
  const end = { start: old.length, end: old.length, newStart: lines.length, newEnd: lines.length };
  for (const change of [...diffLines(trimmed(old), trimmed(lines)), end]) {
    for (; at < change.start; at += 1, newAt += 1) {
      const [file = "", answer = ""] = [old[at], lines[newAt]];
      if (hasText(file)) unchanged.push({ file, answer });
    }
    [at, newAt] = [change.end, change.newEnd];
  }
  return unchanged;
}

/**
 * Finds the one shift of a hunk, and the old lines to compare its new ones with. `undefined` if its old lines have several
 * shifts.
 */
export function fitHunk(
  hunk: Hunk,
  inFile: FileLines,
): { readonly old: readonly string[]; readonly shift: Shift } | undefined {
  const { old, lines, marked } = hunk;
  const shared = sharedLines(old, inFile);
  const shift = marked ? shiftOfMarked(hunk, inFile) : commonShift(shared);
  if (!shift) return undefined;
  const oldInFile = old.map((text, at) => inFile[at] ?? text);
  const changes = marked ?? [{ start: 0, end: oldInFile.length, newStart: 0, newEnd: lines.length }];
  const sides = changes.map(({ start, end, newStart, newEnd }) => {
    return [oldInFile.slice(start, end), lines.slice(newStart, newEnd)] as const;
  });
  const unchanged = sides.flatMap(([code, given]) => unchangedLines(code, given));
  if (shared.every(hasSameIndent)) {
    // Only the new lines may have lost their indentation, if all unchanged lines have.
    const missing =
      marked || isDeepStrictEqual(trimmed(oldInFile), trimmed(lines)) ? undefined : missingBase(oldInFile, lines);
    const isLost = missing && unchanged.length > 0 && unchanged.every((line) => fitsShift(missing, line));
    return { old, shift: isLost ? missing : shift };
  }
  // Only the old lines may be shifted, if the first new line and the unchanged lines are indented as in the file. Marked lines
  // may also be indented more than their context.
  const [first, newFirst] = [sides.flatMap(([code]) => code), sides.flatMap(([, given]) => given)].map(firstIndent);
  const isOnlyOld = first === newFirst && unchanged.every(hasSameIndent);
  // Below context in place, only removed lines may have lost their indentation, or new ones may be deeper than these.
  const isUnclear = marked && unchanged.length === 0 && shift.from !== shift.to && shared.some(hasSameIndent);
  if (isOnlyOld && isUnclear) return undefined;
  return isOnlyOld && (!marked || unchanged.length > 0) ? { old: oldInFile, shift: noShift } : { old, shift };
}

function firstIndent(lines: readonly string[]): string {
  return indentOf(lines.find(hasText) ?? "");
}

function sharedLines(texts: readonly string[], inFile: FileLines): readonly SharedLine[] {
  return texts.flatMap((answer, at) => {
    const file = inFile[at];
    return file === undefined || !hasText(answer) ? [] : [{ answer, file }];
  });
}

/**
 * The shift of a hunk with marks. Removed lines prove it, if there are any: models write a space after the marks of changed
 * lines, or no space before context.
 */
function shiftOfMarked({ old, marked = [] }: Hunk, inFile: FileLines): Shift | undefined {
  const isRemoved = Array<boolean>(old.length).fill(false);
  for (const { start, end } of marked) isRemoved.fill(true, start, end);
  const [removed, context] = [true, false].map((which) => {
    return sharedLines(
      old.map((text, at) => (isRemoved[at] === which ? text : "")),
      inFile,
    );
  }) as [readonly SharedLine[], readonly SharedLine[]];
  const isInPlace = context.every(
    (line) => hasSameIndent(line) || hasSameIndent({ ...line, answer: ` ${line.answer}` }),
  );
  if (removed.length === 0) return isInPlace ? noShift : commonShift(context);
  const shift = commonShift(removed);
  return shift && (isInPlace || context.every((line) => fitsShift(shift, line))) ? shift : undefined;
}

/** Indents lines like the code that they replace or follow, if their base indentation is missing. */
export function fitIndentation(code: readonly string[], lines: readonly string[]): readonly string[] {
  const shift = missingBase(code, lines) ?? noShift;
  return lines.map((line) => shifted(shift, line) ?? line);
}

/** The base indentation of the code, if it is missing in the answer, at least from the first line. */
function missingBase(code: readonly string[], lines: readonly string[]): Shift | undefined {
  const base = leastIndent(code);
  if (base === "" || leastIndent(lines) !== "") return undefined;
  const first = firstIndent(lines);
  const isLess = base + first === firstIndent(code);
  return first === "" || isLess ? { from: "", to: base } : undefined;
}

/**
 * Shifts the lines that replace code as a whole, if they lack the base indentation, or if more of the unchanged lines match
 * the code with the shift than without it. Otherwise, they stay as written. `undefined` if only some of them lack the base
 * indentation.
 */
export function fitBlock(code: readonly string[], given: readonly string[]): readonly string[] | undefined {
  const [base, least] = [leastIndent(code), leastIndent(given)];
  const missing = missingBase(code, given);
  const shift = missing ?? shiftBetween(least, base);
  // Models often leave out the indentation of the first line alone.
  const unchanged = unchangedLines(code, missing ? given.slice(1) : given);
  const [moved, inPlace] = [
    unchanged.filter((line) => fitsShift(shift, line)).length,
    unchanged.filter(hasSameIndent).length,
  ];
  if (missing && inPlace > moved) return undefined;
  // If only whitespace differs, that is the intended change.
  if (least === base || isDeepStrictEqual(trimmed(code), trimmed(given))) return given;
  const all = given.map((line) => shifted(missing || moved > inPlace ? shift : noShift, line));
  return all.every((line) => line !== undefined) ? all : undefined;
}
