import { indentOf, isFilled } from "../text/lines.ts";

/** The indentation of an answer's line and of the same line in the file. */
export interface IndentPair {
  readonly answer: string;
  readonly file: string;
}

/** How indentation translates from the answer to the file; `undefined` where that is unknown. */
export interface IndentRule {
  /** Whether every line is shifted alike. */
  readonly isUniform: boolean;
  /** Whether one rule explains all lines. */
  readonly isKnown: boolean;
  readonly translate: (indent: string) => string | undefined;
}

type Rule = (indent: string) => string | undefined;

/** The lines without what the first one starts with, if all lines that are not blank start with it. */
export function withoutStart(lines: readonly string[], start: string): readonly string[] {
  if (start === "" || lines.some((line) => isFilled(line) && !line.startsWith(start))) return lines;
  return lines.map((line) => line.slice(start.length));
}

/** The line without the white space at its start. */
export function withoutIndent(line: string): string {
  return line.slice(indentOf(line).length);
}

/**
 * Finds how the answer's indentation translates: tabs written as spaces, or the reverse, a common shift, or another
 * width. `lines` are the answer's lines; they show its unit. `fileUnit` is the file's.
 */
export function indentRule(pairs: readonly IndentPair[], lines: readonly string[], fileUnit = 0): IndentRule {
  const distinct = [...new Map(pairs.map((pair) => [`${pair.answer}|${pair.file}`, pair])).values()];
  if (distinct.every(({ answer, file }) => answer === file))
    return { isUniform: true, isKnown: true, translate: (indent) => indent };
  const fits = (one: Rule | undefined): one is Rule =>
    one !== undefined && distinct.every(({ answer, file }) => one(answer) === file);
  const unit = unitOf(lines);
  const shift = shiftRule(distinct, unit);
  const scale = scaleRule(distinct);
  if (fits(shift) && fits(scale)) {
    const step = stepOf(lines);
    if (scale(" ".repeat(step)) === " ".repeat(fileUnit) && step !== fileUnit)
      return { isUniform: false, isKnown: true, translate: scale };
    if (step === fileUnit) return { isUniform: true, isKnown: true, translate: shift };
    return {
      isUniform: true,
      isKnown: true,
      // Lines of a comment are aligned, not indented, so that no other width explains them.
      translate: (indent) => ([shift(indent), undefined].includes(scale(indent)) ? shift(indent) : undefined),
    };
  }
  const rule = [tabsRule(distinct), spacesRule(distinct), shift, scale].find(fits);
  const known = new Map<string, string | undefined>();
  for (const { answer, file } of distinct) known.set(answer, known.has(answer) ? undefined : file);
  return {
    isUniform: rule !== undefined && rule === shift,
    isKnown: rule !== undefined,
    translate: rule ?? ((indent) => known.get(indent)),
  };
}

/** The file has tabs where the answer has spaces. */
function tabsRule(pairs: readonly IndentPair[]): Rule | undefined {
  if (pairs.some(({ answer }) => answer.includes("\t"))) return undefined;
  const tabbed = pairs.find(({ file }) => file.startsWith("\t"));
  if (!tabbed) return undefined;
  const tabs = countTabs(tabbed.file);
  const unit = Math.floor(tabbed.answer.length / tabs);
  return unit < 1 ? undefined : (indent) => (indent.includes("\t") ? indent : toTabs(indent, unit));
}

/** The file has spaces where the answer has tabs. */
function spacesRule(pairs: readonly IndentPair[]): Rule | undefined {
  if (pairs.some(({ file }) => file.includes("\t"))) return undefined;
  const tabbed = pairs.find(({ answer }) => answer.startsWith("\t"));
  if (!tabbed) return undefined;
  const tabs = countTabs(tabbed.answer);
  const unit = Math.floor((tabbed.file.length - (tabbed.answer.length - tabs)) / tabs);
  return unit < 1 ? undefined : (indent) => indent.replaceAll("\t", " ".repeat(unit));
}

/** All lines of the answer have some indentation too much, or too little. */
function shiftRule([first]: readonly IndentPair[], unit: number): Rule | undefined {
  if (!first) return undefined;
  let { answer: from, file: to } = first;
  while (from !== "" && to !== "" && from.at(-1) === to.at(-1)) [from, to] = [from.slice(0, -1), to.slice(0, -1)];
  return (indent) => {
    if (!indent.startsWith(from)) return undefined;
    const rest = indent.slice(from.length);
    return to + (to.includes("\t") && !rest.includes("\t") ? toTabs(rest, unit) : rest);
  };
}

/** The answer indents by another number of spaces. */
function scaleRule(pairs: readonly IndentPair[]): Rule | undefined {
  const wide = pairs.find(({ answer }) => answer !== "");
  if (!wide || wide.file === "" || pairs.some(({ answer, file }) => (answer + file).includes("\t"))) return undefined;
  const factor = wide.file.length / wide.answer.length;
  return (indent) => {
    const width = indent.length * factor;
    return Number.isInteger(width) ? " ".repeat(width) : undefined;
  };
}

/** Spaces as tabs of `unit` columns, and what is left of them. */
export function toTabs(spaces: string, unit: number): string {
  return "\t".repeat(Math.floor(spaces.length / unit)) + " ".repeat(spaces.length % unit);
}

function countTabs(indent: string): number {
  return /^\t*/.exec(indent)?.[0].length ?? 0;
}

/** The smallest difference between the indentations of lines; 0 if there is none. */
export function stepOf(lines: readonly string[]): number {
  const filled = lines.filter(isFilled);
  const widths = [...new Set(filled.map((line) => indentOf(line).length))].sort((one, other) => one - other);
  const steps = widths.slice(1).map((width, index) => width - (widths[index] ?? 0));
  return steps.length === 0 ? 0 : steps.reduce((one, other) => Math.min(one, other));
}

/** The smallest indentation in spaces; a single space counts as alignment. */
function unitOf(lines: readonly string[]): number {
  let unit = Infinity;
  for (const line of lines) {
    const width = indentOf(line).length;
    if (width > 1 && line.startsWith(" ") && width < unit) unit = width;
  }
  return unit === Infinity ? 4 : unit;
}
