import { indentOf } from "../text/lines.ts";
import { withSameUnit } from "./fitIndentation.ts";
import { indentRule, stepOf, withoutIndent, type IndentPair } from "./indentation.ts";
import { keptLines } from "./keptLines.ts";

/**
 * Gives whole replacements the white space of the code they replace, where the model changed it throughout: tabs instead
 * of spaces, a common shift, another width, or white space at the ends of lines. `undefined` if nothing shows that.
 */
export function fitLines(code: readonly string[], lines: readonly string[]): readonly string[] | undefined {
  const pairs = alignedPairs(code, lines);
  if (pairs.length === 0) return undefined;
  const fitted = withIndentation(code, lines, pairs);
  if (!pairs.some(({ old, line }) => old.trimEnd() === line.trimEnd() && old !== line)) return fitted;
  const kept = [...(fitted ?? lines)];
  for (const { old, at } of pairs) if (kept[at]?.trimEnd() === old.trimEnd()) kept[at] = old;
  return kept;
}

function withIndentation(
  code: readonly string[],
  lines: readonly string[],
  pairs: readonly AlignedPair[],
): readonly string[] | undefined {
  const trailing = pairs.filter(({ old, line }) => line !== line.trimEnd() && old === old.trimEnd()).length;
  const trimmed = 2 * trailing > pairs.length ? lines.map((line) => line.trimEnd()) : lines;
  const indents = pairs.map(({ old, line }): IndentPair => ({ answer: indentOf(line), file: indentOf(old) }));
  const others = indents.filter(({ answer, file }) => answer !== file);
  // Where only lines without indentation are the same, the code still shows what it is indented with.
  if (others.length === 0) return withSameUnit(code, trimmed);
  const rule = indentRule(indents, lines, stepOf(code));
  // Lines that moved into a block contradict the others.
  if (!rule.isKnown && hasOtherUnit(others)) return withSameUnit(code, trimmed);
  if (!isDamage(code, lines, others, rule.isUniform)) return trimmed === lines ? undefined : trimmed;
  const fitted: string[] = [];
  for (const line of trimmed) {
    const indent = line.trim() === "" ? "" : rule.translate(indentOf(line));
    if (indent === undefined) return undefined;
    fitted.push(line.trim() === "" ? line : indent + withoutIndent(line));
  }
  return fitted;
}

/** A line of the code and the new line, number `at`, that is the same apart from white space around it. */
interface AlignedPair {
  readonly old: string;
  readonly line: string;
  readonly at: number;
}

function alignedPairs(code: readonly string[], lines: readonly string[]): readonly AlignedPair[] {
  const kept = keptLines(code, lines, (line) => line.trim());
  return kept.map(({ at, newAt }) => ({ old: code[at] ?? "", line: lines[newAt] ?? "", at: newAt }));
}

/**
 * Whether other indentation comes from how the answer was written, not from the change: tabs where the code has spaces,
 * all lines shifted, or all indented by another number of spaces. Code that moves into a block is not.
 */
function isDamage(
  code: readonly string[],
  lines: readonly string[],
  others: readonly IndentPair[],
  isUniform: boolean,
): boolean {
  if (hasOtherUnit(others)) return true;
  if (isUniform) return commonWidth(code) !== commonWidth(lines);
  const factors = new Set(others.map(({ answer, file }) => file.length / answer.length));
  const widths = new Set(others.map(({ answer }) => answer));
  return factors.size === 1 && widths.size > 1;
}

/** Whether one side has tabs, and the other has none. */
function hasOtherUnit(pairs: readonly IndentPair[]): boolean {
  return pairs.every(({ answer, file }) => answer.includes("\t") !== file.includes("\t"));
}

/** The smallest indentation of lines that are not blank. */
function commonWidth(lines: readonly string[]): number {
  let width = Infinity;
  for (const line of lines) if (line.trim() !== "") width = Math.min(width, indentOf(line).length);
  return width;
}
