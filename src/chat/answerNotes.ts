import { l10n, MarkdownString } from "vscode";
import type { EntryName, FinishReason, WaitingEvent } from "../gateway/types.ts";
import { escapeMarkdown, quote } from "../text/safeText.ts";
import type { Note } from "./context/planQuestion.ts";

/** Maximum number of names in a line; the rest are counted. */
const maxNames = 5;
/** Maximum length of a line, in characters. */
const maxLineLength = 2_000;

/** A line that the extension adds to an answer. It is a separate part, so it ends open code blocks, and `readHistory` skips it. */
export function extensionLine(text: string, icon = "info"): MarkdownString {
  // Not `appendText`, which joins all words with no-break spaces, so that lines break within words (VS Code 1.139.1).
  return new MarkdownString(`\n\n$(${icon}) _${escapeMarkdown(quote(text, maxLineLength))}_\n\n`, true);
}

/** Lines about context that was omitted, and about sensitive files that were sent, in the order of `noteTexts`. */
export function noteLines(notes: readonly Note[]): readonly MarkdownString[] {
  const names = Map.groupBy<string, Note>(notes, ({ kind }) => kind);
  return Object.entries(noteTexts).flatMap(([kind, textOf]) => {
    const noted = names.get(kind);
    return noted ? [extensionLine(textOf(listNames([...new Set(noted.map(({ name }) => name))])))] : [];
  });
}

/** A line below an answer: why it ended early, the model, and the entry that answered. */
export function closingLine(modelName: string, entry: EntryName | undefined, reason: FinishReason): MarkdownString {
  const facts = [modelName, entry === "backup" ? l10n.t("backup entry") : l10n.t("primary entry")];
  if (reason === "length") facts.unshift(l10n.t("truncated: the model reached its output limit"));
  if (reason === "contentFilter") facts.unshift(l10n.t("stopped by the gateway's content filter"));
  return extensionLine(facts.join(" · "), "hubot");
}

/** Text for an answer to a question whose images the gateway did not accept. */
export function imagesDropped(): string {
  return l10n.t("The gateway does not take images, so the model has not seen any.");
}

/** Progress text while waiting for the model. */
export function waitingText({ type, delay = 0 }: Pick<WaitingEvent, "type" | "delay">): string {
  const seconds = Math.ceil(delay / 1000);
  if (type === "thinking") return l10n.t("The model is thinking…");
  if (type === "unresponsive") return l10n.t("The gateway has not responded for a while…");
  return seconds > 1 ? l10n.t("Retrying in {0} s…", seconds) : l10n.t("Retrying…");
}

const noteTexts: Readonly<Record<Note["kind"], (names: string) => string>> = {
  truncated: (names) => l10n.t("Truncated to fit the model's context: {0}", names),
  omitted: (names) => l10n.t("Left out to fit the model's context: {0}", names),
  masked: (names) => l10n.t("Sent without the values that look like secrets: {0}", names),
  unreadable: (names) => l10n.t("Cannot be read as text: {0}", names),
  secret: (names) => l10n.t("Not sent because it may contain secrets: {0}. Attach it to send it.", names),
  sentSecret: (names) => l10n.t("Sent because you attached it, although it may contain secrets: {0}", names),
  outside: (names) => l10n.t("Not sent because it is outside the workspace: {0}. Attach it to send it.", names),
  ignored: (names) => l10n.t("Not sent because it is ignored: {0}. Attach it to send it.", names),
  unchecked: (names) =>
    l10n.t("Not sent because Git cannot check whether it is ignored: {0}. Attach it to send it.", names),
  overLimit: (names) => l10n.t("Not read because there are too many files, or they are too large: {0}", names),
  noFile: () => l10n.t("No file was read."),
  historyOmitted: () => l10n.t("The beginning of this chat was left out to fit the model's context."),
};

/** A list of names for use in a sentence. */
function listNames(names: readonly string[]): string {
  const listed = names.slice(0, maxNames).join(", ");
  const more = names.length - maxNames;
  return more > 0 ? l10n.t("{0} and {1} more", listed, more) : listed;
}
