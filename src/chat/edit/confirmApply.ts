import { l10n, Uri, window, workspace } from "vscode";
import type { ProposedFile } from "./proposedFiles.ts";
import { runsCode } from "./runsCode.ts";
import { shownPath } from "./workspacePaths.ts";

/** Asks before an edit deletes files, or changes those that can run code without anybody starting it. */
export async function confirmApply(files: readonly ProposedFile[]): Promise<boolean> {
  const deleted = files.filter(({ kind }) => kind === "delete").map(({ uri }) => uri);
  const changed = files
    .flatMap(({ changes }) => changes.map(({ uri }) => uri))
    .filter((uri) => runsCode(workspace.asRelativePath(Uri.parse(uri, true), false)));
  const reasons = [
    { uris: deleted, text: deletionText(deleted.length) },
    {
      uris: changed.filter((uri) => !deleted.includes(uri)),
      text: l10n.t("This edit changes files that can run code or change how VS Code works."),
    },
  ].filter(({ uris }) => uris.length > 0);
  if (reasons.length === 0) return true;
  const confirm = deleted.length > 0 ? l10n.t("Apply and Delete") : l10n.t("Apply");
  const [first, ...others] = reasons.map(({ uris, text }) => ({ text, names: uris.map(shownPath) }));
  const detail = [...(first?.names ?? []), ...others.flatMap(({ text, names }) => ["", text, ...names])].join("\n");
  return (await window.showWarningMessage(first?.text ?? "", { modal: true, detail }, confirm)) === confirm;
}

function deletionText(count: number): string {
  return count === 1 ? l10n.t("This edit deletes a file.") : l10n.t("This edit deletes {0} files.", count);
}
