import { l10n } from "vscode";
import type { CommandName } from "../manifest.ts";

/** The commands that act on an answer. */
export type AnswerCommand =
  "apply" | "showDiff" | "insertBelow" | "replaceSelection" | "copy" | "askAgain" | "showAnswer" | "fixNewProblems";

/** The commands that act on applied hunks. */
export const changeCommands = ["keep", "undo", "keepAll", "undoAll", "nextChange", "previousChange"] as const;
export type ChangeCommand = (typeof changeCommands)[number];

/** A command about an answer, by its name in the manifest. */
export type AnswerAction = Extract<CommandName, `inlineChat.${AnswerCommand | ChangeCommand}`>;

/** What links in threads and above applied edits say. They are short: the answer or the edit is beside them. */
export const actionTitles: Record<AnswerAction, () => string> = {
  "inlineChat.apply": () => l10n.t("Apply"),
  "inlineChat.showDiff": () => l10n.t("Show Diff"),
  "inlineChat.insertBelow": () => l10n.t("Insert Below"),
  "inlineChat.replaceSelection": () => l10n.t("Replace Selection"),
  "inlineChat.copy": () => l10n.t("Copy"),
  "inlineChat.askAgain": () => l10n.t("Ask Again"),
  "inlineChat.showAnswer": () => l10n.t("Show Answer"),
  "inlineChat.fixNewProblems": () => l10n.t("Fix"),
  "inlineChat.keep": () => l10n.t("Keep"),
  "inlineChat.undo": () => l10n.t("Undo"),
  "inlineChat.keepAll": () => l10n.t("Keep All"),
  "inlineChat.undoAll": () => l10n.t("Undo All"),
  "inlineChat.nextChange": () => l10n.t("Next"),
  "inlineChat.previousChange": () => l10n.t("Previous"),
};
