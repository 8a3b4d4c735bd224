import { l10n, type MarkdownString } from "vscode";
import type { EntryName, FinishReason } from "../../gateway/types.ts";
import { extensionLine } from "./extensionLines.ts";

/** One quiet line: how the answer ended, if not as usual, which model gave it and through which entry. */
export function closingLine(modelName: string, entry: EntryName | undefined, reason: FinishReason): MarkdownString {
  const facts = [modelName, entry === "backup" ? l10n.t("backup entry") : l10n.t("primary entry")];
  if (reason === "length") facts.unshift(l10n.t("cut off at the longest length of an answer"));
  if (reason === "contentFilter") facts.unshift(l10n.t("cut off by the gateway's content filter"));
  return extensionLine("hubot", facts.join(" · "));
}
