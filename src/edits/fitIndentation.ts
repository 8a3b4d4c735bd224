import { indentOf, isFilled } from "../text/lines.ts";
import { toTabs } from "./indentation.ts";

/** Indents an answer's lines like the code they replace, in case the model left the indentation out. */
export function fitIndentation(code: readonly string[], lines: readonly string[]): readonly string[] {
  const fitting = withSameUnit(code, lines);
  const base = commonIndent(code);
  const first = fitting.findIndex(isFilled);
  if (base === "" || first < 0 || indentOf(fitting[first] ?? "") !== "") return fitting;
  const bare = onlyFirstIsBare(code, fitting.slice(first + 1), base) ? first : fitting.length;
  return fitting.map((line, index) => (isFilled(line) && index <= bare ? base + line : line));
}

/** Whether only the first line lost its indentation. */
function onlyFirstIsBare(code: readonly string[], others: readonly string[], base: string): boolean {
  const filled = others.filter(isFilled);
  return filled.length > 0 && filled.every((line) => line.startsWith(base)) && commonIndent(code.slice(1)) === base;
}

/** Converts indentation to tabs or spaces, as the code has it. */
export function withSameUnit(code: readonly string[], lines: readonly string[]): readonly string[] {
  const usesTabs = code.some((line) => line.startsWith("\t"));
  const usesSpaces = code.some((line) => line.startsWith("  "));
  if (usesTabs && !usesSpaces && !lines.some((line) => line.startsWith("\t"))) {
    const unit = spaceUnit(lines);
    return lines.map((line) => line.replace(/^ +/, (spaces) => toTabs(spaces, unit)));
  }
  if (usesSpaces && !usesTabs) {
    const unit = spaceUnit(code);
    return lines.map((line) => line.replace(/^\t+/, (tabs) => " ".repeat(tabs.length * unit)));
  }
  return lines;
}

/** The indentation unit in spaces; a single space counts as alignment. */
function spaceUnit(lines: readonly string[]): number {
  const widths = lines.map((line) => /^ */.exec(line)?.[0].length ?? 0).filter((width) => width > 1);
  return widths.length === 0 ? 4 : widths.reduce((one, other) => Math.min(one, other));
}

/** The common leading whitespace of all non-blank lines; the longest if all are blank. */
function commonIndent(lines: readonly string[]): string {
  const filled = lines.filter(isFilled);
  if (filled.length === 0)
    return lines.map(indentOf).reduce((one, other) => (other.length > one.length ? other : one), "");
  return filled.map(indentOf).reduce((one, other) => sharedStart(one, other));
}

function sharedStart(one: string, other: string): string {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return one.slice(0, length);
}
