import { isReplacement } from "../edits/read/readEdits.ts";
import { fenceAround, longestShown, showMarkdown } from "../text/markdown.ts";
import { type CodeBlock, readParts } from "../text/markdownParts.ts";
import { hidesText } from "../text/unseen.ts";

/**
 * The code of an answer that has exactly one block, to copy or to insert elsewhere. Only what the user can see counts: a
 * closed block outside HTML, without invisible characters, as far as VS Code renders the answer.
 */
export function onlyBlock(answer: string): readonly string[] | undefined {
  const parts = readParts(answer);
  const [only, ...others] = parts.filter((part) => part.type === "code" && part.isClosed);
  if (only?.type !== "code" || others.length > 0 || only.isInHtml) return undefined;
  if (showMarkdown(parts.slice(0, parts.indexOf(only) + 1), isEdit).length > longestShown) return undefined;
  return hidesText(only.lines) ? undefined : only.lines;
}

/** Whether a block replaces the code in question. */
export function isEdit({ info }: CodeBlock): boolean {
  return isReplacement(info);
}

/** A fence for these lines: longer than any in them, and of at least four backticks in Markdown. */
export function fenceFor(lines: readonly string[], languageId = ""): string {
  return fenceAround(lines, /markdown|mdx|quarto/.test(languageId) ? 4 : 3);
}
