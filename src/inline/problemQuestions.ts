import { l10n } from "vscode";
import type { Diagnostic } from "./codeContext.ts";
import type { Question } from "./codeTarget.ts";
import { problemList } from "./problemList.ts";

/** Asks for a fix of errors that came with an applied change. */
export function newProblemsQuestion(problems: readonly Diagnostic[]): Question {
  const shown = l10n.t("Fix the new problems.");
  return { shown, prompt: [shown, "", "Not there before the change:", ...problemList(problems)].join("\n") };
}
