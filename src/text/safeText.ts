import { collapseSpace } from "../base/collapseSpace.ts";
import { withoutKeys } from "../base/withoutKeys.ts";

/** How many characters of a text are read. Some millions overflow the stack of a pattern (V8 in Node 24.21). */
const longestRead = 1_000_000;

/**
 * Makes untrusted text safe for notifications, input boxes, lists and the status bar: one line of at most `longest`
 * characters, without keys, and without links or icons, such as `$(error)`, that VS Code 1.139 renders in these places.
 */
export function quote(words: string, longest = 200): string {
  // Removes keys first, while they are intact, and again after invisible characters inside them are gone.
  const line = withoutKeys(collapseSpace(withoutKeys(words.slice(0, longestRead)))).replace(/([\]$])\(/g, "$1 (");
  const characters = Array.from(line);
  return characters.length > longest ? `${characters.slice(0, longest).join("")}…` : line;
}

/**
 * One line of plain words as Markdown that shows exactly them: it takes a backslash before any ASCII punctuation
 * (CommonMark 0.31.2, 2.4). Where a text may have icons, `quote` is what keeps words from becoming one.
 */
export function escapeMarkdown(words: string): string {
  return words.replace(/[!-/:-@[-`{-~]/g, "\\$&");
}
