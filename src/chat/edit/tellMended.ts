import { l10n, window } from "vscode";
import type { LeftAlone } from "../../apply/applyChange.ts";
import { shownPath } from "./workspacePaths.ts";

/** Tells the user about edits that were taken back because an earlier window closed while it wrote them. */
export function tellMended(mended: readonly LeftAlone[]): void {
  if (mended.length === 0) return;
  const changed = mended.flatMap((one) => one.changed);
  if (changed.length === 0) {
    void window.showInformationMessage(
      l10n.t("VS Code closed while an edit by Codex was being written. The files are as before the edit."),
    );
    return;
  }
  const names = changed.map(shownPath).join(", ");
  void window.showWarningMessage(
    l10n.t(
      "VS Code closed while an edit by Codex was being written. The files are as before the edit, except for those that have changed since: {0}",
      names,
    ),
  );
}
