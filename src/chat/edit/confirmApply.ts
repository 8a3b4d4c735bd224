import { l10n, window } from "vscode";
import { filesThatRunCode } from "../../ui/filesThatRunCode.ts";
import type { ProposedFile } from "./proposedFiles.ts";
import { shownPath } from "./shownPath.ts";

/** Maximum number of names in a list; the rest are counted. */
const mostNames = 20;

/** Asks before an edit deletes files, or changes those that can run code without being started. */
export async function confirmApply(files: readonly ProposedFile[]): Promise<boolean> {
  const deleted = files.filter(({ kind }) => kind === "delete").map(({ uri }) => uri);
  const changed = await filesThatRunCode(files.flatMap(({ changes }) => changes.map(({ uri }) => uri)));
  const reasons = [
    { uris: deleted, text: deletionText(deleted.length) },
    {
      uris: changed.filter((uri) => !deleted.includes(uri)),
      text: l10n.t(
        "This edit changes dotfiles, configuration, or build files, which can run code without being started.",
      ),
    },
  ].filter(({ uris }) => uris.length > 0);
  if (reasons.length === 0) return true;
  const confirm = deleted.length > 0 ? l10n.t("Apply and Delete") : l10n.t("Apply");
  const [first, ...others] = reasons.map(({ uris, text }) => ({ text, names: listed(uris) }));
  const detail = [...(first?.names ?? []), ...others.flatMap(({ text, names }) => ["", text, ...names])].join("\n");
  return (await window.showWarningMessage(first?.text ?? "", { modal: true, detail }, confirm)) === confirm;
}

function listed(uris: readonly string[]): readonly string[] {
  const more = uris.length - mostNames;
  return [...uris.slice(0, mostNames).map(shownPath), ...(more > 0 ? [l10n.t("and {0} more", more)] : [])];
}

function deletionText(count: number): string {
  return count === 1 ? l10n.t("This edit deletes a file.") : l10n.t("This edit deletes {0} files.", count);
}
