import { l10n } from "vscode";
import type { CommandName } from "../manifest.ts";
import type { AnswerCommand } from "./answer.ts";

/** A command about an answer, by its name in the manifest. */
export type AnswerAction = Extract<CommandName, `inlineChat.${AnswerCommand}`>;

/** What links in threads and above applied edits say. They are short: the answer or the edit is beside them. */
export const actionTitles: Record<AnswerAction, () => string> = {
  "inlineChat.apply": () => l10n.t("Apply"),
  "inlineChat.showDiff": () => l10n.t("Show Diff"),
  "inlineChat.insertBelow": () => l10n.t("Insert Below"),
  "inlineChat.copy": () => l10n.t("Copy"),
  "inlineChat.askAgain": () => l10n.t("Ask Again"),
  "inlineChat.keep": () => l10n.t("Keep"),
  "inlineChat.undo": () => l10n.t("Undo"),
};

/** The actions for an applied edit, most likely first. */
export const appliedActions: readonly AnswerAction[] = ["inlineChat.keep", "inlineChat.undo", "inlineChat.showDiff"];
