import { l10n, MarkdownString } from "vscode";

/** How many names a line lists before it only counts the rest. */
const mostNames = 5;

/**
 * A quiet line of the extension in an answer. With theme icons allowed it is a part of its own: `readHistory` leaves it
 * out, and no open code block of the answer swallows it.
 */
export function extensionLine(icon: string, text: string): MarkdownString {
  return new MarkdownString(`\n\n$(${icon}) `, true).appendMarkdown("_").appendText(text).appendMarkdown("_\n\n");
}

/** Names as part of a sentence. */
export function listNames(names: readonly string[]): string {
  const listed = names.slice(0, mostNames).join(", ");
  const more = names.length - mostNames;
  return more > 0 ? l10n.t("{0} and {1} more", listed, more) : listed;
}
