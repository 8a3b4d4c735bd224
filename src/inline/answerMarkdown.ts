import { longestAnswer } from "../edits/types.ts";
import { splitLines } from "../text/lines.ts";
import { longestShown, showMarkdown } from "../text/markdown.ts";
import { readParts } from "../text/markdownParts.ts";
import { escapeMarkdown } from "../text/safeText.ts";
import { withUnseenMarked } from "../text/unseen.ts";
import { isEdit } from "./editBlock.ts";
import { searchAsDiff } from "./searchAsDiff.ts";

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
