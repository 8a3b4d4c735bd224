import { homedir } from "node:os";
import { l10n, Uri, window, workspace } from "vscode";
import { UserError } from "../../failures/userError.ts";
import { dayOf } from "../localDay.ts";
import type { Prices } from "../prices.ts";
import type { UsageRecord } from "../usageRow.ts";
import { usageCsv } from "./usageCsv.ts";

/** Saves all that is recorded where the user wants it. */
export async function exportUsage(record: UsageRecord, prices: Prices): Promise<void> {
  const folder = workspace.workspaceFolders?.[0]?.uri ?? Uri.file(homedir());
  const file = await window.showSaveDialog({
    title: l10n.t("Export Usage"),
    defaultUri: Uri.joinPath(folder, `codex-gateway-usage-${dayOf(Date.now())}.csv`),
    filters: { CSV: ["csv"] },
  });
  if (file === undefined) return;
  await saveUsage(file, usageCsv(record, prices));
  const open = l10n.t("Open");
  const message = l10n.t("The usage was exported. It contains no prompts.");
  if ((await window.showInformationMessage(message, open)) === open) await window.showTextDocument(file);
}

/**
 * Writes the file.
 *
 * @throws UserError `exportNotSaved` if it cannot be written.
 */
export async function saveUsage(file: Uri, csv: string): Promise<void> {
  try {
    await workspace.fs.writeFile(file, new TextEncoder().encode(csv));
  } catch (cause) {
    throw new UserError("exportNotSaved", { subject: file.fsPath, cause });
  }
}
