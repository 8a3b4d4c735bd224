import { indentOf, isFilled } from "../../text/lines.ts";

/** How lines are indented. */
export interface IndentStyle {
  /** Whether all indented lines have tabs, or none; `undefined` for both and for none at all. */
  readonly hasTabs: boolean | undefined;
  /** The most common step in spaces; 0 if there is none. */
  readonly unit: number;
  /** Whether hardly any line is indented by an odd number of blanks. */
  readonly isEven: boolean;
}

/** One in so many indented lines may be odd, because it is aligned. */
const rare = 20;

/** Finds how lines are indented. */
export function indentStyle(lines: readonly string[]): IndentStyle {
  let [tabs, spaces, odd, before] = [0, 0, 0, -1];
  const steps = new Map<number, number>();
  for (const line of lines) {
    if (!isFilled(line)) continue;
    const indent = indentOf(line);
    if (indent.includes("\t")) tabs += 1;
    else if (indent !== "") spaces += 1;
    if (isOdd(line)) odd += 1;
    const step = before < 0 ? 0 : Math.abs(indent.length - before);
    before = indent.length;
    if (step > 1) steps.set(step, (steps.get(step) ?? 0) + 1);
  }
  const [most] = [...steps].sort(([, one], [, other]) => other - one);
  const hasTabs = tabs > 0 === spaces > 0 ? undefined : tabs > 0;
  return { hasTabs, unit: hasTabs === true ? 0 : (most?.[0] ?? 0), isEven: odd * rare <= spaces };
}

/** Whether a line is indented by an odd number of spaces, but not to align a comment. */
export function isOdd(line: string): boolean {
  const indent = indentOf(line);
  return !indent.includes("\t") && indent.length % 2 === 1 && !isStarred(line);
}

/** Whether a line is one of a comment, which a single blank more aligns. */
function isStarred(line: string): boolean {
  return /^\s*\*/.test(line);
}

/** The least indentation of lines that are not blank; the most if all are. */
export function leastIndent(lines: readonly string[]): string {
  const filled = lines.filter(isFilled).map(indentOf);
  if (filled.length > 0) return filled.reduce((least, one) => (one.length < least.length ? one : least));
  return lines.map(indentOf).reduce((most, one) => (one.length > most.length ? one : most), "");
}

/** A line as an answer has it, and the same line in the file. */
export interface SharedLine {
  readonly answer: string;
  readonly file: string;
}

/** How an answer indents lines. */
export interface Indents {
  /** Whether lines stand as in the file, or all of them by as much to the left or right. */
  readonly isShift: boolean;
  /** Whether one rule explains the indentation of all lines that the answer shares with the file. */
  readonly isKnown: boolean;
  /** Indentation as the file would have it; `undefined` where the shared lines do not tell. */
  readonly translate: (indent: string) => string | undefined;
}

/**
 * The theory of indentation: an answer indents by steps of its own, and all of it further to the left or right. Both
 * follow from two shared lines, or from one and the steps that answer and file have, and have to explain the others.
 * Where they do not, only indentation that some shared line has is known. `lines` are all lines of the answer.
 */
export function learnIndents(shared: readonly SharedLine[], lines: readonly string[], style: IndentStyle): Indents {
  const pairs = shared
    .filter(({ file }) => isFilled(file))
    .map(({ answer, file }) => ({ answer: indentOf(answer), file: indentOf(file) }));
  const distinct = [...new Map(pairs.map((pair) => [`${pair.answer}|${pair.file}`, pair])).values()];
  const translate = ruleOf(distinct, lines, style);
  if (translate && distinct.every(({ answer, file }) => translate(answer) === file)) {
    return { isShift: translate.isShift, isKnown: true, translate };
  }
  const known = new Map<string, string | undefined>();
  for (const { answer, file } of distinct) known.set(answer, known.has(answer) ? undefined : file);
  return { isShift: false, isKnown: false, translate: (indent) => known.get(indent) };
}

type Rule = ((indent: string) => string | undefined) & { readonly isShift: boolean };

/** The rule by which the file's indentation follows from the answer's, which may not hold for all pairs. */
function ruleOf(pairs: readonly SharedLine[], lines: readonly string[], style: IndentStyle): Rule | undefined {
  const sorted = pairs.toSorted((one, other) => widthOf(one.answer) - widthOf(other.answer));
  // A single blank more aligns the lines of a comment.
  const even = sorted.filter(({ answer }) => answer.length % 2 === 0);
  const [least = { answer: "", file: "" }, most = least] = [even[0] ?? sorted[0], even.at(-1)];
  const isTold = pairs.some(({ file }) => file !== "");
  const isSame = pairs.every(({ answer, file }) => answer === file);
  const toTabs = pairs.some(({ file }) => file.includes("\t")) || (!isTold && style.hasTabs === true);
  const fromTabs = lines.some((line) => isFilled(line) && indentOf(line).includes("\t"));
  const isOther = toTabs !== fromTabs && (isTold || style.hasTabs !== undefined);
  const [from, to] = [fromTabs ? 1 : stepOf(lines), toTabs ? 1 : style.unit || 4];
  if (isSame && (isTold || !isOther)) return shiftBy(least);
  if (!isOther) {
    const isFromMargin = pairs.every(({ answer, file }) => answer.length * to === file.length * from);
    if (!isFromMargin || toTabs || from === 0) return shiftBy(least);
  }
  const [run, rise] = [widthOf(most.answer) - widthOf(least.answer), widthOf(most.file) - widthOf(least.file)];
  const ratio = run > 0 && rise > 0 ? rise / run : to / (from || 4);
  return Object.assign(
    (indent: string) => {
      const odd = toTabs || fromTabs ? 0 : indent.length % 2;
      const width = widthOf(least.file) + (widthOf(indent) - odd - widthOf(least.answer)) * ratio;
      const whole = Math.floor(width + 1e-6);
      if (whole < 0) return undefined;
      // What is aligned has spaces behind its tabs.
      const rest = toTabs ? Math.round((width - whole) / ratio) : odd;
      if (!toTabs && width - whole > 1e-6) return undefined;
      return (toTabs ? "\t" : " ").repeat(whole) + " ".repeat(rest) + (fromTabs ? indent.replaceAll("\t", "") : "");
    },
    { isShift: false },
  );
}

/** All lines of the answer have some indentation too much, or too little. */
function shiftBy({ answer, file }: SharedLine): Rule {
  let [from, to] = [answer, file];
  while (from !== "" && to !== "" && from.at(-1) === to.at(-1)) [from, to] = [from.slice(0, -1), to.slice(0, -1)];
  const shift = (indent: string): string | undefined =>
    indent.startsWith(from) ? to + indent.slice(from.length) : undefined;
  return Object.assign(shift, { isShift: true });
}

/** The width of indentation: in tabs if it has any, or else in spaces. */
function widthOf(indent: string): number {
  const tabs = indent.split("\t").length - 1;
  return tabs > 0 ? tabs : indent.length;
}

/** The smallest difference between the indentations of lines, in spaces; 0 if there is none. */
function stepOf(lines: readonly string[]): number {
  const widths = new Set(
    lines.filter((line) => isFilled(line) && !isStarred(line)).map((line) => indentOf(line).length),
  );
  const sorted = [...widths].sort((one, other) => one - other);
  const steps = sorted.slice(1).map((width, index) => width - (sorted[index] ?? 0));
  return steps.reduce((one, other) => (one === 0 ? other : Math.min(one, other)), 0);
}
