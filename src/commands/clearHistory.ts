import { l10n, window } from "vscode";
import type { Services } from "../services.ts";

/**
 * Clears the image history of this workspace, including images that are paid for but not saved, after a confirmation.
 */
export async function clearHistory({ images }: Pick<Services, "images">): Promise<void> {
  const { history, lastPrompt, pending } = images;
  const clear = l10n.t("Clear");
  const options = { modal: true, detail: [whatGoes(), ...unsaved(pending.all().length)].join("\n\n") };
  if ((await window.showWarningMessage(l10n.t("Clear the image history?"), options, clear)) !== clear) return;
  await Promise.all([history.clear(), lastPrompt.clear(), pending.clear()]);
}

function whatGoes(): string {
  return l10n.t("This deletes the list of images in this workspace and their prompts. The image files are kept.");
}

function unsaved(count: number): readonly string[] {
  if (count === 0) return [];
  return [
    count === 1
      ? l10n.t("1 image is paid for but not saved yet. Its link or data is deleted as well.")
      : l10n.t("{0} images are paid for but not saved yet. Their links or data are deleted as well.", count),
  ];
}
