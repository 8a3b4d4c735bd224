import { diffLines } from "../../text/diffLines.ts";
import { withoutEntities } from "../../text/html.ts";
import { indentOf, isFilled } from "../../text/lines.ts";
import type { Hunk } from "../types.ts";

export interface IndentStyle {
  /** Whether all indented lines have tabs, or none; `undefined` for both and for none at all. */
  readonly hasTabs: boolean | undefined;
  /** The most common step in spaces; 0 if there is none. */
  readonly unit: number;
  /** Each indentation, apart from what aligns the lines of comments. */
  readonly all: ReadonlySet<string>;
}

/** Finds how lines are indented. */
export function indentStyle(lines: readonly string[]): IndentStyle {
  let [tabs, spaces, before] = [0, 0, -1];
  const steps = new Map<number, number>();
  const all = new Set<string>();
  for (const line of lines) {
    if (!isFilled(line)) continue;
    const indent = indentOf(line);
    if (!line.startsWith("*", indent.length)) all.add(indent);
    if (indent.includes("\t")) tabs += 1;
    else if (indent !== "") spaces += 1;
    const step = before < 0 ? 0 : Math.abs(indent.length - before);
    before = indent.length;
    // A single blank more aligns the lines of a comment.
    if (step > 1) steps.set(step, (steps.get(step) ?? 0) + 1);
  }
  const [most] = [...steps].sort(([, one], [, other]) => other - one);
  const hasTabs = tabs > 0 === spaces > 0 ? undefined : tabs > 0;
  return { hasTabs, unit: hasTabs === true ? 0 : (most?.[0] ?? 0), all };
}

/** The least indentation of lines that are not blank; the most if all are. */
function leastIndent(lines: readonly string[]): string {
  const filled = lines.filter(isFilled).map(indentOf);
  if (filled.length > 0) return filled.reduce((least, one) => (one.length < least.length ? one : least));
  return lines.map(indentOf).reduce((most, one) => (one.length > most.length ? one : most), "");
}

/** A line as an answer has it, and the same line in the file. */
interface SharedLine {
  readonly answer: string;
  readonly file: string;
}

/** Whether the answer indents a line as the file does. */
function isAlike({ answer, file }: SharedLine): boolean {
  return indentOf(answer) === indentOf(file);
}

/** The lines of a file that are among new ones where `look` of both is the same. Blank lines do not count. */
function keptLines(
  old: readonly string[],
  lines: readonly string[],
  look: (line: string) => string,
): readonly (SharedLine & { readonly at: number; readonly newAt: number })[] {
  const kept: (SharedLine & { at: number; newAt: number })[] = [];
  let [at, newAt] = [0, 0];
  const end = { start: old.length, end: old.length, newStart: lines.length, newEnd: lines.length };
  for (const change of [...diffLines(old.map(look), lines.map(look)), end]) {
    for (; at < change.start; at += 1, newAt += 1) {
      const [file = "", answer = ""] = [old[at], lines[newAt]];
      if (isFilled(file)) kept.push({ at, newAt, file, answer });
    }
    [at, newAt] = [change.end, change.newEnd];
  }
  return kept;
}

/** How an answer indents lines. */
interface Indents {
  /** Whether lines stand as in the file, or all of them by as much to the left or right. */
  readonly isShift: boolean;
  /** Indentation as the file would have it; `undefined` where the shared lines do not tell. */
  readonly translate: (indent: string) => string | undefined;
}

/** How many lines stand in the file where an answer's indentation says. */
function explained({ translate }: Indents, shared: readonly SharedLine[]): number {
  return shared.filter(({ answer, file }) => translate(indentOf(answer)) === indentOf(file)).length;
}

/**
 * The theory of indentation: an answer indents by steps of its own, and all of it further to the left or right. Both
 * follow from two shared lines, or from one and the steps that answer and file have, and have to explain the others.
 * Where they do not, only indentation that some shared line has is known. `lines` are all lines of the answer.
 */
function learnIndents(shared: readonly SharedLine[], lines: readonly string[], style: IndentStyle): Indents {
  const rule = ruleOf(shared, lines, style);
  if (explained(rule, shared) === shared.length) return rule;
  const known = new Map<string, string | undefined>();
  for (const { answer, file } of shared) {
    const [from, to] = [indentOf(answer), indentOf(file)];
    known.set(from, known.has(from) && known.get(from) !== to ? undefined : to);
  }
  return { isShift: false, translate: (indent) => known.get(indent) };
}

/** The rule by which the file's indentation follows from the answer's, which may not hold for all lines. */
function ruleOf(shared: readonly SharedLine[], lines: readonly string[], style: IndentStyle): Indents {
  const pairs = shared.map(({ answer, file }) => ({ answer: indentOf(answer), file: indentOf(file) }));
  const sorted = pairs.toSorted((one, other) => widthOf(one.answer) - widthOf(other.answer));
  const [least = { answer: "", file: "" }, most = least] = [sorted[0], sorted.at(-1)];
  const isTold = pairs.some(({ file }) => file !== "");
  const isSame = pairs.every(({ answer, file }) => answer === file);
  const toTabs = pairs.some(({ file }) => file.includes("\t")) || (!isTold && style.hasTabs === true);
  const fromTabs = lines.some((line) => isFilled(line) && indentOf(line).includes("\t"));
  const isOther = toTabs !== fromTabs && (isTold || style.hasTabs !== undefined);
  const [from, to] = [fromTabs ? 1 : indentStyle(lines).unit, toTabs ? 1 : style.unit || 4];
  // Steps are even, apart from what is aligned.
  const hasSteps = !toTabs && from > 0 && from % 2 === 0;
  const isScaled = hasSteps && pairs.every(({ answer, file }) => answer.length * to === file.length * from);
  if ((isSame && (isTold || !isOther)) || (!isOther && !isScaled)) return shiftBy(least);
  const [run, rise] = [widthOf(most.answer) - widthOf(least.answer), widthOf(most.file) - widthOf(least.file)];
  const ratio = run > 0 && rise > 0 ? rise / run : to / (from || 4);
  const translate = (indent: string): string | undefined => {
    const odd = toTabs || fromTabs ? 0 : indent.length % 2;
    const width = widthOf(least.file) + (widthOf(indent) - odd - widthOf(least.answer)) * ratio;
    const whole = Math.floor(width + 1e-6);
    if (whole < 0) return undefined;
    if (!toTabs && width - whole > 1e-6) return undefined;
    return (toTabs ? "\t" : " ").repeat(whole) + " ".repeat(odd) + (fromTabs ? indent.replaceAll("\t", "") : "");
  };
  return { isShift: false, translate };
}

/** All lines of the answer have some indentation too much, or too little. */
function shiftBy({ answer, file }: SharedLine): Indents {
  let [from, to] = [answer, file];
  while (from !== "" && to !== "" && from.at(-1) === to.at(-1)) [from, to] = [from.slice(0, -1), to.slice(0, -1)];
  const translate = (indent: string): string | undefined =>
    indent.startsWith(from) ? to + indent.slice(from.length) : undefined;
  return { isShift: true, translate };
}

/** The width of indentation: in tabs if it has any, or else in spaces. */
function widthOf(indent: string): number {
  const tabs = indent.split("\t").length - 1;
  return tabs > 0 ? tabs : indent.length;
}

/** Typographic characters that programs write for others, besides the entities of HTML. */
const written: readonly (readonly [RegExp, string])[] = [
  [/[“”„‟«»]/g, '"'],
  [/[‘’‚‛]/g, "'"],
  [/[‐‑‒–—―]/g, "-"],
];

/** A line in plain characters: in one Unicode form, without entities of HTML, typographic quotes and dashes. */
export function plain(line: string): string {
  if (/^[\x00-\x25\x27-\x7f]*$/.test(line)) return line;
  let text = withoutEntities(line.normalize().replaceAll("\u00a0", " "));
  for (const [pattern, character] of written) text = text.replace(pattern, character);
  return text;
}

/** Gives a new line as the file would have it; `undefined` where that is not known. */
type Restore = (line: string) => string | undefined;

/**
 * Learns from lines that an answer shares with a file what the answer has done to characters and to the ends of lines,
 * and undoes the same in new ones, besides their indentation.
 */
function learnSpelling(shared: readonly SharedLine[], { translate }: Indents): Restore {
  const hasEnds = shared.some(({ answer, file }) => answer !== answer.trimEnd() && file === file.trimEnd());
  const solid = (line: string): string => line.replace(/[ \t]+/g, "");
  const isRetyped = shared.some(({ answer, file }) => solid(answer) !== solid(file));
  // Where the file itself has such characters, nobody knows which ones new lines should have.
  const isUnclear = isRetyped && shared.some(({ file }) => plain(file) !== file.normalize());
  return (line) => {
    const text = isRetyped ? plain(line) : line;
    if (isUnclear && text !== line) return undefined;
    if (!isFilled(text)) return hasEnds ? "" : text;
    const indent = translate(indentOf(text));
    const rest = text.slice(indentOf(text).length);
    return indent === undefined ? undefined : indent + (hasEnds ? rest.trimEnd() : rest);
  };
}

/** The old lines of a hunk in the spelling of its new ones, and how to give those the spelling of the file. */
type HunkReading = Pick<Hunk, "old"> & { readonly restore: Restore };

/**
 * Reads a hunk. `inFile` are the file's lines for its old ones, as far as it has them. `undefined` if the hunk
 * contradicts itself, or nothing tells how its new lines are indented.
 */
export function readHunk(
  { old, lines, marked, unmarked = old }: Hunk,
  inFile: readonly (string | undefined)[],
  style: IndentStyle,
): HunkReading | undefined {
  const sharedBy = (texts: readonly string[]): readonly SharedLine[] =>
    texts.flatMap((answer, at) => {
      const file = inFile[at];
      return file === undefined || !isFilled(answer) ? [] : [{ answer, file }];
    });
  const read = (texts: readonly string[], shared = sharedBy(texts)): HunkReading => {
    return { old: texts, restore: learnSpelling(shared, learnIndents(shared, [...lines, ...texts], style)) };
  };
  if (marked) {
    // What follows the marks of removed lines follows those of added ones. The blank that marks context may be missing.
    const isRemoved = Array<boolean>(old.length).fill(false);
    for (const { start, end } of marked) isRemoved.fill(true, start, end);
    const sharedWhere = (texts: readonly string[], which: boolean): readonly SharedLine[] =>
      sharedBy(texts.map((text, at) => (isRemoved[at] === which ? text : "")));
    const removed = sharedWhere(old, true);
    const right = [sharedWhere(unmarked, false), sharedWhere(old, false)].find((shared) => shared.every(isAlike));
    const reading = read(old, right && removed.length > 0 ? removed : right);
    if (removed.length > 0) return reading;
    // Where no other line is indented like an added one, a mark took a blank too many or left one.
    const near = new Set(inFile.map((file = "") => indentOf(file)));
    const isOff = marked.some(({ newStart, newEnd }) => {
      const first = reading.restore(lines.slice(newStart, newEnd).find(isFilled) ?? "") ?? "";
      return isFilled(first) && !style.all.has(indentOf(first)) && !near.has(indentOf(first));
    });
    return isOff ? undefined : reading;
  }
  // Perhaps the old lines alone are shifted: then those that stay are written as the file has them.
  const now = old.map((text, at) => inFile[at] ?? text);
  const kept = keptLines(now, lines, (line) => line.trim()).filter(
    ({ at, file }) => !isAlike({ answer: old[at] ?? "", file }),
  );
  const right = kept.filter(isAlike).length;
  if (right === 0) return read(old);
  return right === kept.length ? read(now) : undefined;
}

/** Indents an answer's lines like the code they replace or follow, in case the model left the indentation out. */
export function fitIndentation(code: readonly string[], lines: readonly string[]): readonly string[] {
  const fitted = untrimmed(code, lines);
  const restore = learnSpelling([], indentsOf(code, fitted, [], indentStyle(code)));
  return fitted.map((line) => restore(line) ?? line);
}

/**
 * Spells new lines as the code does that they replace, where what stays shows that the answer spells all of it otherwise.
 * `undefined` where nobody knows how new lines should be spelled.
 */
export function respell(
  code: readonly string[],
  given: readonly string[],
  style: IndentStyle,
): readonly string[] | undefined {
  const lines = untrimmed(code, given);
  const kept = keptLines(code, lines, (line) => plain(line).trim());
  // If only white space and characters differ, that is the change, and not how the answer was written.
  const isOnlySpelled = [code, lines].every((side) => side.filter(isFilled).length === kept.length);
  if (isOnlySpelled && code.length === lines.length) return lines;
  const indents = indentsOf(code, lines, kept, style);
  const spelled = lines.map(learnSpelling(kept, indents));
  for (const { newAt, answer, file } of kept) {
    const level = indents.translate(indentOf(answer));
    const rest = file.slice(indentOf(file).length);
    // White space that ends a line of the file may be what the change takes away.
    if (level !== undefined) spelled[newAt] = level + (answer === answer.trimEnd() ? rest.trimEnd() : rest);
  }
  const known = spelled.filter((line) => line !== undefined);
  return known.length < lines.length ? undefined : known;
}

/**
 * How a replacement is indented: as the code, in its kind of blanks, as far to the right, or as one rule has it that
 * explains all lines that stay. What explains most of these is meant, for the others move by the change itself.
 */
function indentsOf(
  code: readonly string[],
  lines: readonly string[],
  shared: readonly SharedLine[],
  style: IndentStyle,
): Indents {
  const [base, least] = [leastIndent(code), leastIndent(lines)];
  const isBare = base !== "" && indentOf(lines.find(isFilled) ?? base) === "";
  const usual = ruleOf(isBare ? [{ answer: `${least}x`, file: `${base}x` }] : [], lines, style);
  const learned = ruleOf(shared, lines, style);
  const isWhole = explained(learned, shared) === shared.length && !(learned.isShift && least.length === base.length);
  const rules = [shiftBy({ answer: "", file: "" }), ...(isWhole ? [learned] : [])];
  return rules.reduce((best, rule) => (explained(rule, shared) > explained(best, shared) ? rule : best), usual);
}

/** The lines with the indentation of the first one, if it alone has lost its own, as in a text that was trimmed. */
function untrimmed(code: readonly string[], lines: readonly string[]): readonly string[] {
  const base = leastIndent(code);
  const [first = "", ...others] = lines;
  const isTrimmed = isFilled(first) && indentOf(first) === "" && others.some(isFilled);
  return isTrimmed && leastIndent(others).startsWith(base) && leastIndent(code.slice(1)) === base
    ? [base + first, ...others]
    : lines;
}
