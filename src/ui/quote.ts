import { withoutKeys } from "../gateway/wire/withoutKeys.ts";

/**
 * Untrusted words in a form fit for a notification: one line of at most `longest` characters, without keys, and without
 * the links that VS Code would make clickable.
 */
export function quote(words: string, longest = 200): string {
  const line = withoutKeys(words.replace(/\p{C}+|\s+/gu, " "))
    .replaceAll("](", "] (")
    .trim();
  const characters = Array.from(line);
  return characters.length > longest ? `${characters.slice(0, longest).join("")}…` : line;
}
