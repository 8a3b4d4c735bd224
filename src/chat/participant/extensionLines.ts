import { l10n, MarkdownString } from "vscode";
import type { EntryName, FinishReason, WaitingEvent } from "../../gateway/types.ts";
import type { Note, NoteKind } from "../context/planQuestion.ts";

/** How many names a line lists before it only counts the rest. */
const mostNames = 5;

/**
 * A quiet line of the extension in an answer. With theme icons allowed it is a part of its own: `readHistory` leaves it
 * out, and no open code block of the answer swallows it.
 */
export function extensionLine(icon: string, text: string): MarkdownString {
  return new MarkdownString(`\n\n$(${icon}) `, true).appendMarkdown("_").appendText(text).appendMarkdown("_\n\n");
}

/** What the answer does not build on although the user may think so, and what was sent that may be better kept. */
export function noteLine({ kind, names }: Note): MarkdownString {
  return extensionLine("info", noteTexts[kind](listNames(names)));
}

/** One quiet line: how the answer ended, if not as usual, which model gave it and through which entry. */
export function closingLine(modelName: string, entry: EntryName | undefined, reason: FinishReason): MarkdownString {
  const facts = [modelName, entry === "backup" ? l10n.t("backup entry") : l10n.t("primary entry")];
  if (reason === "length") facts.unshift(l10n.t("truncated: the model reached its output limit"));
  if (reason === "contentFilter") facts.unshift(l10n.t("stopped by the gateway's content filter"));
  return extensionLine("hubot", facts.join(" · "));
}

/** What a user reads while nothing comes. */
export function waitingText({ type, delay = 0 }: Pick<WaitingEvent, "type" | "delay">): string {
  const seconds = Math.ceil(delay / 1000);
  if (type === "thinking") return l10n.t("The model is thinking…");
  if (type === "unresponsive") return l10n.t("The gateway has not responded for a while…");
  return seconds > 1 ? l10n.t("Retrying in {0} s…", seconds) : l10n.t("Retrying…");
}

const noteTexts: Readonly<Record<NoteKind, (names: string) => string>> = {
  shortened: (names) => l10n.t("Truncated to fit the model's context: {0}", names),
  leftOut: (names) => l10n.t("Left out to fit the model's context: {0}", names),
  unreadable: (names) => l10n.t("Cannot be read as text: {0}", names),
  secret: (names) => l10n.t("Not sent because it may contain secrets: {0}", names),
  sentSecret: (names) => l10n.t("Sent because you attached it, but may contain secrets: {0}", names),
  outside: (names) => l10n.t("Not sent because it is outside the workspace: {0}. Attach it to send it.", names),
  forgotten: () => l10n.t("The beginning of this chat was left out to fit the model's context."),
};

/** Names as part of a sentence. */
function listNames(names: readonly string[]): string {
  const listed = names.slice(0, mostNames).join(", ");
  const more = names.length - mostNames;
  return more > 0 ? l10n.t("{0} and {1} more", listed, more) : listed;
}
