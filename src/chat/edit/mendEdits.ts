import { l10n, Uri, window, workspace } from "vscode";
import type { LeftAlone } from "../../apply/applyChange.ts";
import type { EditRecords } from "./editRecords.ts";
import { whyNotUndone } from "./mayChange.ts";
import { shownPath } from "./shownPath.ts";

/**
 * Takes back edits that an earlier window could not finish writing, as far as Undo may, and tells the user. In Restricted
 * Mode, this waits until the workspace is trusted.
 */
export async function mendEdits(records: Pick<EditRecords, "mend">, isTrusted = workspace.isTrusted): Promise<void> {
  if (!isTrusted) return;
  tellMended(await records.mend(async (uri) => (await whyNotUndone(Uri.parse(uri, true))) === undefined));
}

function tellMended(mended: readonly LeftAlone[]): void {
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
