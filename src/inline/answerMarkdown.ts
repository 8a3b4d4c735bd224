import { longestAnswer } from "../edits/budget.ts";
import { showMarkdown } from "../text/markdown.ts";
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

/** The same, followed by a line of the extension's own. */
export function withClosingLine(answer: string, line: string): string {
  return `${answerMarkdown(answer)}\n\n*${escapeMarkdown(withUnseenMarked(line))}*`;
}
