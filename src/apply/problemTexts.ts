import { l10n } from "vscode";
import type { EditProblemKind } from "../edits/types.ts";
import { denialTexts } from "../reading/fileGate.ts";

/** Why an edit is not applied, as the rest of a sentence about a file. */
export const problemTexts: Record<EditProblemKind, () => string> = {
  cutOff: () => l10n.t("The answer is incomplete."),
  tooLong: () => l10n.t("The answer is too long."),
  several: () => l10n.t("The answer has several changes for the same lines."),
  noTarget: () => l10n.t("The change does not say which lines it replaces."),
  fence: () => l10n.t("The change has no clear end."),
  html: () => l10n.t("The change is inside HTML."),
  unseen: () => l10n.t("The change contains invisible characters."),
  malformed: () => l10n.t("The change is malformed."),
  notFound: () => l10n.t("The lines to change are not in the file."),
  ambiguous: () => l10n.t("The lines to change are in the file more than once."),
  ellipsis: () => l10n.t("The lines to change are abbreviated."),
  masked: () => l10n.t("A new line has a placeholder in place of a secret."),
  omission: () => l10n.t("The change leaves out code."),
  overlap: () => l10n.t("Parts of the change overlap."),
  alreadyApplied: () => l10n.t("The file already has this change."),
  noChange: () => l10n.t("The file already matches the answer."),
  unknownFile: () => l10n.t("There is no such file."),
  exists: () => l10n.t("The file already exists."),
  tooComplex: () => l10n.t("Finding the lines to change takes too long."),
  outside: denialTexts.outside,
};
