import { l10n } from "vscode";
import type { CommandName } from "../manifest.ts";
import type { AnswerCommand, ChangeCommand } from "./answer.ts";

/** A command about an answer, by its name in the manifest. */
export type AnswerAction = Extract<CommandName, `inlineChat.${AnswerCommand | ChangeCommand}`>;

/** What links in threads and above applied edits say. They are short: the answer or the edit is beside them. */
export const actionTitles: Record<AnswerAction, () => string> = {
  "inlineChat.apply": () => l10n.t("Apply"),
  "inlineChat.showDiff": () => l10n.t("Show Diff"),
  "inlineChat.insertBelow": () => l10n.t("Insert Below"),
  "inlineChat.copy": () => l10n.t("Copy"),
  "inlineChat.askAgain": () => l10n.t("Ask Again"),
  "inlineChat.keep": () => l10n.t("Keep"),
  "inlineChat.undo": () => l10n.t("Undo"),
  "inlineChat.keepAll": () => l10n.t("Keep All"),
  "inlineChat.undoAll": () => l10n.t("Undo All"),
  "inlineChat.nextChange": () => l10n.t("Next"),
  "inlineChat.previousChange": () => l10n.t("Previous"),
};
