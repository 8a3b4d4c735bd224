import { indentOf, isFilled } from "../../text/lines.ts";
import { plain } from "./characters.ts";
import type { IndentStyle } from "./fileIndex.ts";

/** A line as an answer has it, and the same line in the file. */
export interface SharedLine {
  readonly answer: string;
  readonly file: string;
}

/** How an answer indents lines. */
export interface Indents {
  /** Whether they are only indented by as much more or less as each other. */
  readonly isShift: boolean;
  /** Whether one rule explains the indentation of all lines that the answer shares with the file. */
  readonly isKnown: boolean;
  /** Indentation as the file would have it; `undefined` where the shared lines do not tell. */
  readonly translate: (indent: string) => string | undefined;
}

/** How an answer writes lines. `restore` gives a new line as the file would have it, if that is known. */
export interface Spelling extends Indents {
  readonly restore: (line: string) => string | undefined;
}

/**
 * Learns from lines that an answer shares with a file what the answer has done to all of its lines, which are `lines`: to
 * their indentation, to characters, and to their ends. The same is then undone in new ones.
 */
export function learnSpelling(
  shared: readonly SharedLine[],
  lines: readonly string[],
  style: IndentStyle,
  indents = learnIndents(shared, lines, style),
): Spelling {
  const hasEnds = shared.some(({ answer, file }) => endOf(answer) > endOf(file));
  const isRetyped = shared.some(({ answer, file }) => withoutBlanks(answer) !== withoutBlanks(file));
  // Where the file itself has such characters, nobody knows which ones new lines should have.
  const isUnclear = isRetyped && shared.some(({ file }) => plain(file) !== file.normalize());
  const restore = (line: string): string | undefined => {
    const text = isRetyped ? plain(line) : line;
    if (isUnclear && text !== line) return undefined;
    if (!isFilled(text)) return hasEnds ? "" : text;
    const indent = indents.translate(indentOf(text));
    const rest = text.slice(indentOf(text).length);
    return indent === undefined ? undefined : indent + (hasEnds ? rest.trimEnd() : rest);
  };
  return { ...indents, restore };
}

function endOf(line: string): number {
  return line.length - line.trimEnd().length;
}

function withoutBlanks(line: string): string {
  return line.replace(/[ \t]+/g, "");
}

type Translate = (indent: string) => string | undefined;

/**
 * The theory of indentation: an answer indents by steps of its own, and all of it by some steps more or less than the
 * file. Both follow from two shared lines, or from one and the steps that answer and file have, and have to explain the
 * others. Where they do not, only indentation that some shared line has is known.
 */
export function learnIndents(shared: readonly SharedLine[], lines: readonly string[], style: IndentStyle): Indents {
  const pairs = shared.filter(({ file }) => isFilled(file));
  const levels = pairs.map(({ answer, file }) => ({ answer: indentOf(answer), file: indentOf(file) }));
  const distinct = [...new Map(levels.map((level) => [`${level.answer}|${level.file}`, level])).values()];
  const step = stepOf(lines);
  const fits = (rule: Translate | undefined): rule is Translate =>
    rule !== undefined && distinct.every(({ answer, file }) => rule(answer) === file);
  const answerTabs = lines.some((line) => indentOf(line).includes("\t"));
  if (distinct.every(({ answer, file }) => answer === file)) {
    const isTold = distinct.some(({ file }) => file !== "");
    const translate = (indent: string): string => (isTold ? indent : inStyle(indent, style, answerTabs ? 0 : step));
    return { isShift: true, isKnown: true, translate };
  }
  const shift = shiftOf(distinct);
  const steps = stepsOf(distinct, step, style);
  const hasTabs = distinct.some(({ file }) => file.includes("\t")) || style.kind === "tabs";
  const isOtherKind = hasTabs !== answerTabs;
  const isScaled = isOtherKind || areScaled(distinct, step, style);
  const rule = (isScaled ? [steps, shift] : [shift, steps]).find(fits);
  const known = new Map<string, string | undefined>();
  for (const { answer, file } of distinct) known.set(answer, known.has(answer) ? undefined : file);
  if (!rule) return { isShift: false, isKnown: false, translate: (indent) => known.get(indent) };
  return { isShift: rule === shift, isKnown: true, translate: rule };
}

/** Whether the steps of answer and file alone explain the pairs. */
function areScaled(pairs: readonly SharedLine[], step: number, { unit }: IndentStyle): boolean {
  const isPlain = pairs.every(({ answer, file }) => !(answer + file).includes("\t"));
  return (
    isPlain &&
    step !== unit &&
    step * unit > 0 &&
    pairs.every(({ answer, file }) => answer.length * unit === file.length * step)
  );
}

/** All lines of the answer have some indentation too much, or too little. */
function shiftOf([first]: readonly SharedLine[]): Translate | undefined {
  if (!first) return undefined;
  let { answer: from, file: to } = first;
  while (from !== "" && to !== "" && from.at(-1) === to.at(-1)) [from, to] = [from.slice(0, -1), to.slice(0, -1)];
  return (indent) => (indent.startsWith(from) ? to + indent.slice(from.length) : undefined);
}

/** The answer has steps of another width, or tabs for spaces, or spaces for tabs; perhaps shifted as well. */
function stepsOf(pairs: readonly SharedLine[], step: number, { unit }: IndentStyle): Translate | undefined {
  const sorted = pairs.toSorted((one, other) => widthOf(one.answer) - widthOf(other.answer));
  const least = sorted.find(({ answer }) => answer.length % 2 === 0) ?? sorted[0];
  const most = sorted.findLast(({ answer }) => answer.length % 2 === 0) ?? sorted.at(-1);
  if (!least || !most) return undefined;
  const hasTabs = pairs.some(({ file }) => file.includes("\t"));
  const answerTabs = pairs.some(({ answer }) => answer.includes("\t"));
  const run = widthOf(most.answer) - widthOf(least.answer);
  const rise = widthOf(most.file) - widthOf(least.file);
  // Steps of another width in the same kind of blanks do not go with a shift: that would be a change of some lines.
  const isFromMargin = least.file.length * most.answer.length === most.file.length * least.answer.length;
  if (!hasTabs && !answerTabs && !isFromMargin) return undefined;
  const given = answerTabs ? 1 : step;
  const ratio =
    run > 0 && rise > 0
      ? rise / run
      : widthOf(most.answer) > 0 && widthOf(most.file) > 0
        ? widthOf(most.file) / widthOf(most.answer)
        : (hasTabs ? 1 : unit || 4) / (given || 4);
  return (indent) => {
    // A single blank more aligns the lines of a comment.
    const odd = ratio === 1 || hasTabs || answerTabs ? 0 : indent.length % 2;
    const width = widthOf(least.file) + (widthOf(indent) - odd - widthOf(least.answer)) * ratio;
    const whole = hasTabs ? Math.floor(width + 1e-6) : width;
    if (whole < 0 || !Number.isInteger(whole)) return undefined;
    const rest = hasTabs ? Math.round((width - whole) / ratio) : odd;
    return (hasTabs ? "\t" : " ").repeat(whole) + " ".repeat(rest) + (answerTabs ? indent.replaceAll("\t", "") : "");
  };
}

/** The width of indentation: in tabs if it has any, or else in spaces. */
function widthOf(indent: string): number {
  const tabs = indent.split("\t").length - 1;
  return tabs > 0 ? tabs : indent.length;
}

/** Indentation as the file has it where the answer shows none of it. */
function inStyle(indent: string, { kind, unit }: IndentStyle, step: number): string {
  if (kind === "spaces") return indent.replaceAll("\t", " ".repeat(unit || 4));
  if (kind !== "tabs" || step < 2) return indent;
  return "\t".repeat(Math.floor(indent.length / step)) + " ".repeat(indent.length % step);
}

/** The smallest difference between the indentations of lines, in spaces; 0 if there is none. */
function stepOf(lines: readonly string[]): number {
  const widths = new Set(
    lines.filter((line) => isFilled(line) && !line.startsWith("\t")).map((line) => indentOf(line).length),
  );
  const sorted = [...widths].sort((one, other) => one - other);
  const steps = sorted.slice(1).map((width, index) => width - (sorted[index] ?? 0));
  return steps.reduce((one, other) => (one === 0 ? other : Math.min(one, other)), 0);
}
