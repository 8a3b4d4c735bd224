import { escapeMarkdown, showMarkdown } from "../text/markdown.ts";
import { readParts } from "../text/markdownParts.ts";
import { isEdit } from "./editBlock.ts";

// On its own to be tested without VS Code.

/** An answer in a form fit to be shown while it grows, in which what would be applied is seen as it would be applied. */
export function answerMarkdown(answer: string): string {
  return showMarkdown(readParts(answer), isEdit);
}

/** The same with a line of the extension's own at its end. */
export function withClosingLine(answer: string, line: string): string {
  return `${answerMarkdown(answer)}\n\n*${escapeMarkdown(line)}*`;
}
