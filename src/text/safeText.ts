import { collapseSpace } from "../base/collapseSpace.ts";
import { withoutKeys } from "../base/withoutKeys.ts";

/** Maximum number of characters to read. Some millions overflow the stack of a pattern (V8 in Node 24.21). */
const maxRead = 1_000_000;

/**
 * Makes untrusted text safe for notifications, input boxes, lists and the status bar: one line of at most `maxLength`
 * characters, without keys, and without links or icons, such as `$(error)`, that VS Code 1.139 renders in these places.
 */
export function quote(words: string, maxLength = 200): string {
  // Removes keys first, while they are intact, and again after invisible characters inside them are gone.
  const line = withoutKeys(collapseSpace(withoutKeys(words.slice(0, maxRead)))).replace(/([\]$])\(/g, "$1 (");
  const characters = Array.from(line);
  return characters.length > maxLength ? `${characters.slice(0, maxLength).join("")}…` : line;
}

/**
 * One line of plain words as Markdown that shows exactly them: any ASCII punctuation may have a backslash before it
 * (CommonMark 0.31.2, 2.4). Does not keep words from becoming icons where VS Code renders these, as `quote` does.
 */
export function escapeMarkdown(words: string): string {
  return words.replace(/[!-/:-@[-`{-~]/g, "\\$&");
}
