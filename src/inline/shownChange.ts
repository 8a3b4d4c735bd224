import { splitLines } from "../text/lines.ts";
import type { LineRange } from "../text/lineRange.ts";
import { longestShown, showMarkdown } from "../text/markdown.ts";
import { type CodeBlock, readParts, type TextLine } from "../text/markdownParts.ts";
import { diffRows, shownTab } from "./diffRows.ts";
import type { AnswerEdit, EditSubject, ProposedHunk } from "./proposal.ts";

/** An answer with its change, as its thread shows it. */
export interface ShownChange {
  readonly markdown: string;
  /** Whether VS Code shows the whole change. */
  readonly isWhole: boolean;
  /** The size of the change, such as "+3 −1". */
  readonly size: string;
}

/** What an answer proposes, and the text that proposes it, which may be that of a second attempt. */
export interface Proposal {
  readonly edit: AnswerEdit;
  readonly source: string;
  /** Set for a change only. */
  readonly shown: ShownChange | undefined;
}

/** The proposal of an answer that is not complete. */
export const noProposal: Proposal = { edit: { type: "none", code: undefined }, source: "", shown: undefined };

/** Number of unchanged lines shown around a change. A comment shows about 14 lines at once (seen in VS Code 1.139). */
const context = 2;

/**
 * Shows an answer with the diff of its change in place of its edits, which are in `ranges`, made safe as all text from outside. What is shown is
 * what is applied.
 */
export function showChange(
  answer: string,
  ranges: readonly LineRange[],
  { lines }: Pick<EditSubject, "lines">,
  hunks: readonly ProposedHunk[],
): ShownChange {
  const size = sizeOf(hunks);
  const texts = splitLines(answer);
  const first = ranges[0]?.start ?? texts.length;
  const isEdit = (line: number): boolean => ranges.some(({ start, end }) => line >= start && line < end);
  const after = texts.filter((_, line) => line >= first && !isEdit(line));
  const upToDiff: readonly (CodeBlock | TextLine)[] = [
    ...readParts(texts.slice(0, first).join("\n").trimEnd()),
    ...["", `**${size}**`, ""].map((text): TextLine => ({ type: "line", text, isInHtml: false })),
    { type: "code", prefix: "", fence: 3, info: "diff", lines: diffOf(lines, hunks), isClosed: true, isInHtml: false },
  ];
  const rest = readParts(`\n${after.join("\n").trim()}`);
  return {
    markdown: showMarkdown([...upToDiff, ...rest]).trim(),
    isWhole: showMarkdown(upToDiff).length <= longestShown,
    size,
  };
}

/** The size of a change, such as "+3 −1". */
export function sizeOf(hunks: readonly Pick<ProposedHunk, "lines" | "before">[]): string {
  const added = hunks.reduce((sum, { lines }) => sum + lines.length, 0);
  const removed = hunks.reduce((sum, { before }) => sum + before.length, 0);
  return `+${added} −${removed}`;
}

/**
 * A unified diff without its file names. Unchanged lines that are farther away are left out, and so is the header where
 * nothing has to be kept apart.
 */
function diffOf(all: readonly string[], hunks: readonly ProposedHunk[]): readonly string[] {
  // A final newline starts no other line.
  const texts = all.at(-1) === "" ? all.slice(0, -1) : all;
  const lines: string[] = [];
  let delta = 0;
  const groups = groupsOf(hunks);
  for (const group of groups) {
    const { start, end } = withContext(texts, group[0]?.start ?? 0, group.at(-1)?.end ?? 0);
    const rows: string[] = [];
    let next = start;
    let grown = 0;
    for (const hunk of group) {
      const tab = shownTab([...hunk.before, ...hunk.lines]);
      rows.push(...diffRows(" ", all.slice(next, hunk.start)));
      rows.push(...diffRows("-", hunk.before, tab), ...diffRows("+", hunk.lines, tab));
      next = hunk.end;
      grown += hunk.lines.length - hunk.before.length;
    }
    rows.push(...diffRows(" ", all.slice(next, end)));
    const old = rows.filter((row) => !row.startsWith("+")).length;
    if (groups.length > 1) lines.push(`@@ -${place(start, old)} +${place(start + delta, old + grown)} @@`);
    lines.push(...rows);
    delta += grown;
  }
  return lines;
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
