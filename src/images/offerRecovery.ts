import { commands, l10n, Uri, window, workspace } from "vscode";
import { prefix } from "../manifest.ts";
import type { PendingImages } from "./pendingImages.ts";
import type { PendingImage } from "./storedImages.ts";

/** Offers images left by an earlier window of this workspace. Reads a memento and downloads nothing. */
export async function offerRecovery(pending: PendingImages): Promise<void> {
  const { length } = pending.all().filter((image) => image.isExpired !== true && belongsHere(image));
  if (length === 0) return;
  const recover = l10n.t("Recover Images");
  const text =
    length === 1
      ? l10n.t("An image was generated and paid for, but not saved.")
      : l10n.t("{0} images were generated and paid for, but not saved.", length);
  if ((await window.showInformationMessage(text, recover)) !== recover) return;
  await commands.executeCommand(`${prefix}.recoverImages`);
}

/** Other folders may belong to another window that is downloading their images now. */
function belongsHere({ folder }: PendingImage): boolean {
  return !workspace.workspaceFolders?.length || workspace.getWorkspaceFolder(Uri.parse(folder)) !== undefined;
}
