import { endsSearch, startsSearch } from "../../edits/read/marks.ts";
import { isReplacement } from "../../edits/read/readEdits.ts";
import { type LineEdit, maxAnswerLength } from "../../edits/types.ts";
import type { LineRange } from "../../text/lineRange.ts";
import { beginningOf, splitLines } from "../../text/lines.ts";
import { type Shown, showMarkdown } from "../../text/markdown.ts";
import { type CodeBlock, linesIn, readParts, type TextLine } from "../../text/markdownParts.ts";
import { escapeMarkdown } from "../../text/safeText.ts";
import { hidesText, withInvisibleMarked } from "../../text/hiddenText.ts";

/** Lines that an answer replaces, with the lines that are there now. */
export interface ProposedHunk extends LineEdit {
  readonly before: readonly string[];
}

/** Maximum length of a line below an answer, in characters. */
const maxClosingLength = 1_000;

/**
 * Shows an answer safely, even while it grows: a replacement block exactly as it would be applied, outside of lists and
 * quotes, and SEARCH/REPLACE blocks as diffs. `closing` is a line of the extension's own below it. Has no dependency on VS
 * Code, so unit tests can load it.
 */
export function showAnswer(answer: string, closing = ""): Shown {
  const words = escapeMarkdown(withInvisibleMarked(beginningOf(closing, maxClosingLength)));
  const present = (block: CodeBlock): CodeBlock =>
    isReplacement(block.info) ? { ...block, prefix: "" } : searchAsDiff(block);
  return showMarkdown(readParts(readable(answer)), { present, closing: closing === "" ? "" : `*${words}*` });
}

/** The whole lines of an answer that are read. */
function readable(answer: string): string {
  if (answer.length <= maxAnswerLength) return answer;
  return answer.slice(0, Math.max(0, answer.lastIndexOf("\n", maxAnswerLength)));
}

/**
 * The code of an answer that has exactly one block, to copy or to insert elsewhere. Only what the user can see counts: a
 * closed block outside HTML, without invisible characters, that the thread shows to its end.
 */
export function onlyBlock(answer: string): readonly string[] | undefined {
  const parts = [...readParts(readable(answer))];
  const [only, ...others] = parts.filter((part) => part.type === "code" && part.isClosed);
  if (only?.type !== "code" || others.length > 0 || only.isInHtml || hidesText(only.lines)) return undefined;
  const end = countLines(parts.slice(0, parts.indexOf(only) + 1));
  return end <= showAnswer(answer).end ? only.lines : undefined;
}

function countLines(parts: readonly (CodeBlock | TextLine)[]): number {
  return parts.reduce((sum, part) => sum + linesIn(part), 0);
}

/**
 * Lines as rows of a diff. VS Code's Markdown makes four blanks of each tab that begins a line, but leaves the tabs after a
 * sign, which are eight wide (marked 14, VS Code 1.139), so that changed lines would not be aligned with unchanged ones.
 */
function diffRows(sign: " " | "-" | "+", lines: readonly string[], tab = "    "): readonly string[] {
  return lines.map((line) => sign + withTabs(line, tab));
}

/** How a tab is shown in these lines: with an arrow if some of them differ only in tabs. */
function shownTab(lines: readonly string[]): string {
  const shown = new Set(lines.map((line) => withTabs(line, "    ")));
  return shown.size === new Set(lines).size ? "    " : "→   ";
}

function withTabs(line: string, tab: string): string {
  return line.replace(/^[ \t]+/, (indentation) => indentation.replaceAll("\t", tab));
}

/** Shows a block with SEARCH/REPLACE marks as a diff, even before its end has arrived. Other blocks stay as they are. */
function searchAsDiff(block: CodeBlock): CodeBlock {
  if (!block.lines.some(startsSearch)) return block;
  const rows: string[] = [];
  let sign: " " | "-" | "+" = " ";
  for (const line of block.lines) {
    if (sign === " " && startsSearch(line)) sign = "-";
    else if (sign === "-" && line.trim() === "=======") sign = "+";
    else if (sign !== " " && endsSearch(line)) sign = " ";
    else rows.push(...diffRows(sign, [line]));
  }
  return { ...block, info: "diff", lines: rows };
}

/** An answer with its change, as its thread shows it. */
export interface ShownChange extends Shown {
  /** Whether the whole change is shown. */
  readonly isWhole: boolean;
}

/** Number of unchanged lines shown around a change. */
const context = 2;

/** Shows an answer with a diff in place of its edits, made safe. What is shown is what is applied. `all`: the document's lines. */
export function showChange(
  { text, ranges }: { readonly text: string; readonly ranges: readonly LineRange[] },
  all: readonly string[],
  hunks: readonly ProposedHunk[],
): ShownChange {
  const texts = splitLines(text);
  const first = ranges[0]?.start ?? texts.length;
  const edits = new Set(ranges.flatMap(({ start, end }) => Array.from({ length: end - start }, (_, at) => start + at)));
  const before = partsOf(texts.slice(0, first));
  const after = partsOf(texts.filter((_, line) => line >= first && !edits.has(line)));
  const upToDiff: readonly (CodeBlock | TextLine)[] = [
    ...before,
    ...[...(before.length > 0 ? [""] : []), `**${sizeOf(hunks)}**`, ""].map(lineOf),
    {
      type: "code",
      prefix: "",
      fence: "```",
      info: "diff",
      lines: diffOf(all, hunks),
      isClosed: true,
      isInHtml: false,
    },
  ];
  const shown = showMarkdown([...upToDiff, ...(after.length > 0 ? [lineOf("")] : []), ...after]);
  return { ...shown, isWhole: countLines(upToDiff) <= shown.end };
}

/** The parts of some lines, without blank ones around them. */
function partsOf(lines: readonly string[]): readonly (CodeBlock | TextLine)[] {
  const text = lines.join("\n").trim();
  return text === "" ? [] : [...readParts(text)];
}

function lineOf(text: string): TextLine {
  return { type: "line", text, isInHtml: false };
}

/** The size of a change, such as "+3 −1". */
export function sizeOf(hunks: readonly Pick<ProposedHunk, "lines" | "before">[]): string {
  const added = hunks.reduce((sum, { lines }) => sum + lines.length, 0);
  const removed = hunks.reduce((sum, { before }) => sum + before.length, 0);
  return `+${added} −${removed}`;
}

/** A unified diff without file names. Headers separate parts between which lines are omitted. */
function diffOf(all: readonly string[], hunks: readonly ProposedHunk[]): readonly string[] {
  // A final newline starts no other line.
  const texts = all.at(-1) === "" ? all.slice(0, -1) : all;
  const groups = groupsOf(hunks);
  let delta = 0;
  return groups.flatMap((group) => {
    const { start, end } = withContext(texts, group[0]?.start ?? 0, group.at(-1)?.end ?? 0);
    const rows: string[] = [];
    const add = (...row: Parameters<typeof diffRows>): void => {
      for (const line of diffRows(...row)) rows.push(line);
    };
    let next = start;
    for (const hunk of group) {
      const tab = shownTab([...hunk.before, ...hunk.lines]);
      add(" ", all.slice(next, hunk.start));
      add("-", hunk.before, tab);
      add("+", hunk.lines, tab);
      next = hunk.end;
    }
    add(" ", all.slice(next, end));
    const rowsWithout = (sign: string): number => rows.filter((row) => !row.startsWith(sign)).length;
    const [old, now] = [rowsWithout("+"), rowsWithout("-")];
    const header = `@@ -${rangeIn(start, old)} +${rangeIn(start + delta, now)} @@`;
    delta += now - old;
    return groups.length > 1 ? [header, ...rows] : rows;
  });
}

/** Lines with their context. No blank lines begin or end it. */
function withContext(all: readonly string[], from: number, to: number): LineRange {
  const isBlank = (line: number): boolean => (all[line] ?? "").trim() === "";
  let start = Math.max(0, from - context);
  let end = Math.max(start, Math.min(all.length, to + context));
  while (start < from && isBlank(start)) start += 1;
  while (end > Math.max(start, to) && isBlank(end - 1)) end -= 1;
  return { start, end };
}

/** Hunks that are so near each other that they share their context. */
function groupsOf(hunks: readonly ProposedHunk[]): readonly (readonly ProposedHunk[])[] {
  const groups: ProposedHunk[][] = [];
  for (const hunk of hunks) {
    const last = groups.at(-1);
    if (last && hunk.start - (last.at(-1)?.end ?? 0) <= 2 * context) last.push(hunk);
    else groups.push([hunk]);
  }
  return groups;
}

function rangeIn(start: number, count: number): string {
  return `${count === 0 ? start : start + 1},${count}`;
}
