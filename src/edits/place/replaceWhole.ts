import { indentOf, isFilled } from "../../text/lines.ts";
import { fenceAround } from "../../text/markdown.ts";
import { diffLines } from "../../text/diffLines.ts";
import type { FileText } from "../change/fileText.ts";
import type { BlockFacts } from "../read/operations.ts";
import type { AskedLines, LineEdit } from "../types.ts";
import { plain } from "./characters.ts";
import { type IndentStyle, indentStyle } from "./fileIndex.ts";
import { says } from "./findPlaces.ts";
import { keptLines, leastIndent } from "./keptLines.ts";
import { withoutNumbers } from "./lineNumbers.ts";
import type { Placement } from "./placeHunk.ts";
import { type Indents, learnIndents, learnSpelling, type SharedLine } from "./spelling.ts";

const malformed: Placement = { type: "problem", kind: "malformed" };

/** The changes when the lines in question are replaced. */
export function replaceAsked(
  file: FileText,
  asked: AskedLines,
  lines: readonly string[],
  block: BlockFacts,
): Placement {
  const start = Math.max(0, Math.min(asked.start, file.lines.length));
  const end = Math.max(start, Math.min(asked.end, file.lines.length));
  const old = file.lines.slice(start, end);
  if (mayEndEarly(old, lines, asked.path, block)) return { type: "problem", kind: "fence" };
  // A blank line would become the final newline of a file that has none.
  const isOpenEnd = end === file.lines.length && old.length > 0 && !/[\r\n]$/.test(file.text);
  const given = isOpenEnd ? withoutBlankEnd(old, lines) : lines;
  if (repeats(file.lines.slice(0, start), old, given)) return malformed;
  if (repeats(file.lines.slice(end).reverse(), old.toReversed(), given.toReversed())) return malformed;
  const whole = bareBlock(old, given, asked.path);
  const fitted = whole && respell(old, whole);
  return fitted ? placed(old, fitted, start, lines) : malformed;
}

/** The changes when a block has the whole file. Refuses what looks like a part of it. */
export function replaceFile(
  file: FileText,
  path: string,
  lines: readonly string[],
  block: BlockFacts,
  isGuess: boolean,
): Placement {
  const old = file.lines;
  if (mayEndEarly(old, lines, path, block)) return { type: "problem", kind: "fence" };
  const whole = bareBlock(old, withoutBlankEnd(old, withoutBlankStart(old, lines)), path);
  const fitted = whole && respell(old, whole);
  if (!fitted) return malformed;
  const placement = placed(old, fitted, 0, whole);
  const isShort = placement.type === "placed" && isPart(old, fitted, placement.edits, isGuess);
  return isShort ? { type: "problem", kind: "omission" } : placement;
}

/** The lines of a new file, without the blank line that models put before the closing fence. */
export function newFileLines(lines: readonly string[]): readonly string[] {
  return withoutBlankEnd(["-"], withoutBlankStart(["-"], lines));
}

/** Indents an answer's lines like the code they replace or follow, in case the model left the indentation out. */
export function fitIndentation(code: readonly string[], lines: readonly string[]): readonly string[] {
  const base = leastIndent(code);
  const fitted = withFirstIndent(code, lines);
  const isBare = base !== "" && indentOf(fitted.find(isFilled) ?? base) === "";
  const { restore } = learnSpelling(isBare ? [{ answer: "x", file: `${base}x` }] : [], lines, indentStyle(code, 1));
  return fitted.map((line) => restore(line) ?? line);
}

function placed(old: readonly string[], lines: readonly string[], offset: number, given: readonly string[]): Placement {
  const edits = diffLines(old, lines).map(({ start, end, newStart, newEnd }) => ({
    start: start + offset,
    end: end + offset,
    lines: lines.slice(newStart, newEnd),
  }));
  if (edits.length === 0) return { type: "problem", kind: "noChange" };
  const isAsGiven = lines.length === given.length && lines.every((line, index) => line === given[index]);
  const around = { start: offset, end: offset + old.length };
  return { type: "placed", edits, match: isAsGiven ? "exact" : "indentation", around };
}

/**
 * Spells new lines as the code does that they replace, where what stays shows that the answer spells all of it otherwise.
 * `undefined` where nobody knows how new lines should be spelled.
 */
function respell(code: readonly string[], given: readonly string[]): readonly string[] | undefined {
  const kept = keptLines(code, given, (line) => plain(line).trim());
  // If nothing else differs, that is the change, and not how the answer was written.
  if (isOnlySpelled(code, given, kept.length)) return given;
  const [first, ...others] = kept;
  const isFirstKept = first?.at === code.findIndex(isFilled) && first.newAt === given.findIndex(isFilled);
  const areOthers = others.every(({ at, newAt }) => indentOf(code[at] ?? "") === indentOf(given[newAt] ?? ""));
  const lines = (!first || isFirstKept) && areOthers ? withFirstIndent(code, given) : given;
  const shared = kept.map(({ at, newAt }) => ({ answer: lines[newAt] ?? "", file: code[at] ?? "" }));
  const style = indentStyle(code, 1);
  const indents = indentsOf(code, lines, shared, style);
  const { restore } = learnSpelling(shared, lines, style, indents);
  const spelled = lines.map(restore);
  for (const [index, { newAt }] of kept.entries()) {
    const { answer = "", file = "" } = shared[index] ?? {};
    const level = indents.translate(indentOf(answer));
    const rest = file.slice(indentOf(file).length);
    // White space that ends a line of the file may be what the change takes away.
    if (level !== undefined) spelled[newAt] = level + (answer === answer.trimEnd() ? rest.trimEnd() : rest);
  }
  const known = spelled.filter((line) => line !== undefined);
  return known.length < lines.length ? undefined : known;
}

/**
 * How a replacement is indented: as the code; as the code but with tabs for spaces, or the reverse; so that its first and
 * last lines stand where those of the code do; or as one rule has it that explains all lines that stay. What explains
 * most of these is meant, for the others move by the change itself.
 */
function indentsOf(
  code: readonly string[],
  lines: readonly string[],
  shared: readonly SharedLine[],
  style: IndentStyle,
): Indents {
  const [filled, filledOld] = [lines.filter(isFilled), code.filter(isFilled)];
  const ends = [0, -1].map((at) => ({ answer: filled.at(at) ?? "", file: filledOld.at(at) ?? "" }));
  const same: Indents = { isShift: true, isKnown: true, translate: (indent) => indent };
  const all = learnIndents(shared, lines, style);
  const isOther = leastIndent(code).length !== leastIndent(lines).length;
  const candidates = [learnIndents([], lines, style), same, learnIndents(ends, lines, style), all];
  const votes = candidates.map(({ isKnown, isShift, translate }, at) => {
    if (!isKnown || (at > 1 && isShift && !isOther)) return -1;
    return shared.filter(({ answer, file }) => translate(indentOf(answer)) === indentOf(file)).length;
  });
  const most = Math.max(...votes);
  const isLost = most === 0 && leastIndent(lines) === "" && leastIndent(code) !== "";
  return candidates[isLost && votes[2] === 0 ? 2 : votes.indexOf(most)] ?? same;
}

/** The lines with the indentation of the first one, if it alone has lost its own. */
function withFirstIndent(code: readonly string[], lines: readonly string[]): readonly string[] {
  const base = leastIndent(code);
  const first = lines.findIndex(isFilled);
  const others = lines.slice(first + 1).filter(isFilled);
  const isBare = first >= 0 && base !== "" && indentOf(lines[first] ?? "") === "";
  const isAlone = others.length > 0 && others.every((line) => line.startsWith(base));
  return isBare && isAlone && leastIndent(code.slice(1)) === base
    ? lines.with(first, base + (lines[first] ?? ""))
    : lines;
}

/** Whether only white space and characters differ. A first line that lost its indentation is the mark of a copy. */
function isOnlySpelled(code: readonly string[], lines: readonly string[], kept: number): boolean {
  const filled = lines.filter(isFilled).length;
  if (code.length !== lines.length || kept !== filled || kept !== code.filter(isFilled).length) return false;
  const isCopy = lines.length > 1 && lines.slice(1).every((line, index) => line === code[index + 1]);
  return !(isCopy && lines.slice(1).some(isFilled) && lines[0] === code[0]?.trimStart());
}

/** The lines of a block without numbers before them, and without a comment above them that only names the file. */
function bareBlock(old: readonly string[], lines: readonly string[], path: string): readonly string[] | undefined {
  const isCode = (line: string): boolean => line.trim() !== old[0]?.trim() && /^\W+/.test(line);
  const [first = ""] = lines;
  const words = plain(first)
    .replace(/^\W+\s|\s*(?:\*\/|-->)\s*$/g, "")
    .trim();
  const rest = isCode(first) && words === path ? lines.slice(1) : lines;
  const mayBeList =
    /\.(?:md|mdx|markdown|qmd|txt|rst|adoc)$/i.test(path) && rest.some((line) => /^\s*\d+\. /.test(line));
  return mayBeList || withoutNumbers(old) ? rest : (withoutNumbers(rest) ?? rest);
}

/** Whether the first new lines repeat those above the old ones. */
function repeats(above: readonly string[], old: readonly string[], lines: readonly string[]): boolean {
  const [last = "", first = ""] = [above.at(-1), lines[0]];
  return says(first) && last === first && old[0] !== first;
}

/** Whether a fence in the code may have ended the block: one that is as long as its own, or, in Markdown, a new one. */
function mayEndEarly(
  old: readonly string[],
  lines: readonly string[],
  path: string,
  { fence, isBeforeBareBlock }: BlockFacts,
): boolean {
  if (fenceAround(lines).length > fence) return true;
  return fenceAround(old).length > fence || (isBeforeBareBlock && /\.(?:md|mdx|markdown|qmd)$/i.test(path));
}

function withoutBlankStart(old: readonly string[], lines: readonly string[]): readonly string[] {
  return lines.length > 1 && !isFilled(lines[0] ?? "") && isFilled(old[0] ?? "") ? lines.slice(1) : lines;
}

function withoutBlankEnd(old: readonly string[], lines: readonly string[]): readonly string[] {
  return lines.length > 1 && !isFilled(lines.at(-1) ?? "") && isFilled(old.at(-1) ?? "") ? lines.slice(0, -1) : lines;
}

/** Files shorter than this are often written anew. */
const fewLines = 10;

/** Whether the new lines look like a part of a file: both its ends are gone, a quarter at one end, or most of it. */
function isPart(
  old: readonly string[],
  lines: readonly string[],
  edits: readonly LineEdit[],
  isGuess: boolean,
): boolean {
  const filled = old.filter(isFilled).length;
  const gone = filled - lines.filter(isFilled).length;
  const cut = edits.filter((edit) => edit.lines.length === 0 && edit.end - edit.start >= (isGuess ? 1 : 2));
  const ends = [cut.some(({ start }) => start === 0), cut.some(({ end }) => end === old.length)];
  if (2 * gone > filled || isGuess) return (isGuess || filled >= fewLines) && (2 * gone > filled || ends.some(Boolean));
  const quarter = Math.ceil(old.length / 4);
  const removals = edits.filter((edit) => !edit.lines.some(says));
  const isGone = (start: number, end: number): boolean =>
    old.slice(start, end).every((line, at) => !says(line) || removals.some((edit) => isIn(start + at, edit)));
  const losesEnd = 5 * gone > filled && (isGone(0, quarter) || isGone(old.length - quarter, old.length));
  return filled >= fewLines && (losesEnd || ends.every(Boolean));
}

function isIn(line: number, { start, end }: LineEdit): boolean {
  return line >= start && line < end;
}
