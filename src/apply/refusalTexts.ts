import { l10n } from "vscode";
import type { EditProblemKind } from "../edits/types.ts";
import { type DenialReason, denialTexts } from "../reading/fileGate.ts";

/** Why an edit is not applied: what the answer lacks, or what may not be changed. */
export type RefusalKind =
  | EditProblemKind
  | DenialReason
  | "notRead" // the model has not read all of the file that it replaces
  | "tooManyFiles" // the answer names more files than anybody reviews
  | "notText" // the file is not UTF-8 text, or is too large
  | "tooManyLines" // the file has more lines than can be compared at once
  | "unsaved" // an editor that is not a text editor has unsaved changes
  | "link" // a link would be deleted or moved
  | "badName" // a file cannot have this name, or would be another one
  | "folder" // a folder has this name
  | "belowFile" // what would have to be a folder is a file
  | "changedSince"; // the lines that it changes have changed since the answer

/** Why an edit is not applied, as the rest of a sentence about a file. */
export const refusalTexts: Record<RefusalKind, () => string> = {
  ...denialTexts,
  cutOff: () => l10n.t("The answer is incomplete."),
  tooLong: () => l10n.t("The answer is too long."),
  several: () => l10n.t("The answer has several changes for the same lines."),
  noTarget: () => l10n.t("The change does not specify which lines it replaces."),
  fence: () => l10n.t("The change has no clear end."),
  html: () => l10n.t("The change is inside HTML."),
  unseen: () => l10n.t("The change contains invisible characters."),
  malformed: () => l10n.t("The change is malformed."),
  notFound: () => l10n.t("The lines to change are not in the file."),
  ambiguous: () => l10n.t("The lines to change are in the file more than once."),
  ellipsis: () => l10n.t("The lines to change are abbreviated."),
  masked: () => l10n.t("A new line contains a placeholder for a secret."),
  omission: () => l10n.t("The change leaves out code."),
  overlap: () => l10n.t("Parts of the change overlap."),
  alreadyApplied: () => l10n.t("The file already has this change."),
  noChange: () => l10n.t("The file already matches the answer."),
  unknownFile: () => l10n.t("There is no such file."),
  exists: () => l10n.t("The file already exists."),
  tooComplex: () => l10n.t("Finding the lines to change takes too long."),
  notRead: () => l10n.t("The answer replaces a file that the model has not read in full."),
  tooManyFiles: () => l10n.t("The answer changes too many files."),
  unsaved: () => l10n.t("The file has unsaved changes in an editor. Save it first."),
  notText: () => l10n.t("The file is not UTF-8 text, or it is too large."),
  tooManyLines: () => l10n.t("The file has more than 100,000 lines."),
  link: () => l10n.t("The file is a link."),
  badName: () => l10n.t("A file cannot have this name."),
  folder: () => l10n.t("There is a folder with this name."),
  belowFile: () => l10n.t("A part of the path is a file, not a folder."),
  changedSince: () => l10n.t("The lines to change have changed since the answer."),
};
