import { l10n, window } from "vscode";
import type { Ledger } from "../ledger.ts";

/** Deletes what was recorded, after a confirmation. Returns whether the user confirmed. */
export async function clearUsage(ledger: Pick<Ledger, "clear">): Promise<boolean> {
  const clear = l10n.t("Clear");
  const detail = l10n.t(
    "This deletes the usage of all windows on this computer. Export it first if you want to keep it.",
  );
  const options = { modal: true, detail };
  if ((await window.showWarningMessage(l10n.t("Clear the recorded usage?"), options, clear)) !== clear) return false;
  await ledger.clear();
  return true;
}
