import { withoutKeys } from "./withoutKeys.ts";

/** How many characters of a text are read. Some millions overflow the stack of a pattern (V8 in Node 24.21). */
const longestRead = 1_000_000;

/** Characters that end a line, control a terminal, change the text's direction, or are invisible. */
const unseen = /(?:\p{C}|\p{Default_Ignorable_Code_Point}|\s)+/gu;

/**
 * Makes untrusted text safe for notifications, input boxes, lists and the status bar: one line of at most `longest`
 * characters, without keys, and without links or icons, such as `$(error)`, that VS Code 1.139 renders in these places.
 */
export function quote(words: string, longest = 200): string {
  // Removes keys first, while they are intact, and again after invisible characters inside them are gone.
  const line = withoutKeys(withoutKeys(words.slice(0, longestRead)).replace(unseen, " "))
    .replace(/([\]$])\(/g, "$1 (")
    .trim();
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
