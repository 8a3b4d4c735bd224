import { endsSearch, startsSearch } from "../../edits/read/readEdits.ts";
import { longestAnswer } from "../../edits/types.ts";
import type { LineRange } from "../../text/lineRange.ts";
import { splitLines } from "../../text/lines.ts";
import { longestShown, showMarkdown } from "../../text/markdown.ts";
import { type CodeBlock, readParts, type TextLine } from "../../text/markdownParts.ts";
import { escapeMarkdown } from "../../text/safeText.ts";
import { withUnseenMarked } from "../../text/unseen.ts";
import { type AnswerReading, isEdit, type ProposedHunk } from "./proposal.ts";

/**
 * Markdown that is safe to show while the answer grows. A replacement block is shown exactly as it would be applied, and
 * SEARCH/REPLACE blocks as diffs. Has no dependency on VS Code, so unit tests can load it.
 */
export function answerMarkdown(answer: string): string {
  const parts = readParts(answer.slice(0, longestAnswer)).map((part) =>
    part.type === "code" && !isEdit(part) ? searchAsDiff(part) : part,
  );
  return showMarkdown(parts, isEdit);
}

/** The part of an answer that VS Code renders, with marks for invisible characters. */
export function shownText(answer: string): string {
  const lines = splitLines(answer.slice(0, longestAnswer));
  const isShown = (count: number): boolean => answerMarkdown(lines.slice(0, count).join("\n")).length <= longestShown;
  // More lines never make the Markdown shorter.
  let [rendered, most] = [0, lines.length];
  while (rendered < most) {
    const count = Math.ceil((rendered + most) / 2);
    if (isShown(count)) rendered = count;
    else most = count - 1;
  }
  return withUnseenMarked(lines.slice(0, rendered).join("\n"));
}

/** The same, followed by a line of the extension's own. */
export function withClosingLine(answer: string, line: string): string {
  return `${answerMarkdown(answer)}\n\n*${escapeMarkdown(withUnseenMarked(line))}*`;
}

/**
 * Lines as rows of a diff. VS Code's Markdown makes four blanks of each tab that begins a line, but leaves the tabs after a
 * sign, which are eight wide (marked 14, VS Code 1.139), so that changed lines would not stand below unchanged ones.
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

/** Shows a block with SEARCH/REPLACE marks as a diff, also while its end has not arrived yet. Other blocks stay as they are. */
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
export interface ShownChange {
  readonly markdown: string;
  /** Whether VS Code shows the whole change. */
  readonly isWhole: boolean;
}

/** Number of unchanged lines shown around a change. */
const context = 2;

/** Shows an answer with a diff in place of its edits, made safe. What is shown is what is applied. `all`: the document's lines. */
export function showChange(
  { text, ranges }: Pick<AnswerReading, "text" | "ranges">,
  all: readonly string[],
  hunks: readonly ProposedHunk[],
): ShownChange {
  const texts = splitLines(text);
  const first = ranges[0]?.start ?? texts.length;
  const isEdit = (line: number): boolean => ranges.some(({ start, end }) => line >= start && line < end);
  const after = texts.filter((_, line) => line >= first && !isEdit(line));
  const upToDiff: readonly (CodeBlock | TextLine)[] = [
    ...readParts(texts.slice(0, first).join("\n").trimEnd()),
    ...["", `**${sizeOf(hunks)}**`, ""].map((text): TextLine => ({ type: "line", text, isInHtml: false })),
    { type: "code", prefix: "", fence: 3, info: "diff", lines: diffOf(all, hunks), isClosed: true, isInHtml: false },
  ];
  const rest = readParts(`\n${after.join("\n").trim()}`);
  return {
    markdown: showMarkdown([...upToDiff, ...rest]).trim(),
    isWhole: showMarkdown(upToDiff).length <= longestShown,
  };
}

/** The size of a change, such as "+3 −1". */
export function sizeOf(hunks: readonly Pick<ProposedHunk, "lines" | "before">[]): string {
  const added = hunks.reduce((sum, { lines }) => sum + lines.length, 0);
  const removed = hunks.reduce((sum, { before }) => sum + before.length, 0);
  return `+${added} −${removed}`;
}

/** A unified diff without file names. Headers tell apart what has lines between that are left out. */
function diffOf(all: readonly string[], hunks: readonly ProposedHunk[]): readonly string[] {
  // A final newline starts no other line.
  const texts = all.at(-1) === "" ? all.slice(0, -1) : all;
  const groups = groupsOf(hunks);
  let delta = 0;
  return groups.flatMap((group) => {
    const { start, end } = withContext(texts, group[0]?.start ?? 0, group.at(-1)?.end ?? 0);
    const rows: string[] = [];
    let next = start;
    for (const hunk of group) {
      const tab = shownTab([...hunk.before, ...hunk.lines]);
      rows.push(...diffRows(" ", all.slice(next, hunk.start)));
      rows.push(...diffRows("-", hunk.before, tab), ...diffRows("+", hunk.lines, tab));
      next = hunk.end;
    }
    rows.push(...diffRows(" ", all.slice(next, end)));
    const rowsWithout = (sign: string): number => rows.filter((row) => !row.startsWith(sign)).length;
    const [old, now] = [rowsWithout("+"), rowsWithout("-")];
    const header = `@@ -${place(start, old)} +${place(start + delta, now)} @@`;
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

function place(start: number, count: number): string {
  return `${count === 0 ? start : start + 1},${count}`;
}
