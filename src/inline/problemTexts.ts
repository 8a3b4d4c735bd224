import { l10n } from "vscode";
import type { ProposalProblem } from "./proposal.ts";

/** Why an answer's edit cannot be applied, as the status of its thread. */
export const problemTexts: Record<ProposalProblem["kind"], () => string> = {
  cutOff: () => l10n.t("Done, but the change is incomplete and cannot be applied"),
  tooLong: () => l10n.t("Done, but the answer is too long to show in full and cannot be applied"),
  several: () => l10n.t("Done, but the answer has several changes and cannot be applied"),
  noTarget: () => l10n.t("Done, but the change does not say which lines it replaces and cannot be applied"),
  fence: () => l10n.t("Done, but the change has no clear end and cannot be applied"),
  html: () => l10n.t("Done, but the change is inside HTML and cannot be applied"),
  unseen: () => l10n.t("Done, but the change contains invisible characters (marked ⟨U+…⟩) and cannot be applied"),
  malformed: () => l10n.t("Done, but the change is malformed and cannot be applied"),
  notFound: () => l10n.t("Done, but the lines to change are not in the file, so the change cannot be applied"),
  ambiguous: () =>
    l10n.t("Done, but the lines to change are in the file more than once, so the change cannot be applied"),
  ellipsis: () => l10n.t("Done, but the lines to change are abbreviated, so the change cannot be applied"),
  masked: () => l10n.t("Done, but a new line has a placeholder in place of a secret, so the change cannot be applied"),
  omission: () => l10n.t("Done, but the change leaves out code and cannot be applied"),
  overlap: () => l10n.t("Done, but parts of the change overlap, so it cannot be applied"),
  alreadyApplied: () => l10n.t("Done, but the file already has this change"),
  noChange: () => l10n.t("Done, and the code already matches the answer"),
  outside: () => l10n.t("Done, but the change leads outside the workspace and cannot be applied"),
  unknownFile: () => l10n.t("Done, but the answer changes another file, which takes @codex /edit in the Chat view"),
  exists: () => l10n.t("Done, but the change creates a file that already exists and cannot be applied"),
  tooComplex: () => l10n.t("Done, but finding the lines to change takes too long, so the change cannot be applied"),
  otherFile: () => l10n.t("Done, but the answer also changes another file, which takes @codex /edit in the Chat view"),
};
