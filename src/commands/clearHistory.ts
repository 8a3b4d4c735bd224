import { l10n, window } from "vscode";
import type { Services } from "../services.ts";

/** Forgets the images of this workspace with their prompts, and what is paid for and not saved, after a question. */
export async function clearHistory({ images }: Pick<Services, "images">): Promise<void> {
  const { history, lastPrompt, pending } = images;
  const clear = l10n.t("Clear");
  const options = { modal: true, detail: [whatGoes(), ...unsaved(pending.all().length)].join("\n\n") };
  if ((await window.showWarningMessage(l10n.t("Clear the history of images?"), options, clear)) !== clear) return;
  await Promise.all([history.clear(), lastPrompt.clear(), pending.clear()]);
}

function whatGoes(): string {
  return l10n.t("The list of images in this workspace and their prompts are deleted. The image files stay.");
}

function unsaved(count: number): readonly string[] {
  if (count === 0) return [];
  return [
    count === 1
      ? l10n.t("1 image is paid for and not saved yet. Its link or its bytes are deleted, too.")
      : l10n.t("{0} images are paid for and not saved yet. Their links or bytes are deleted, too.", count),
  ];
}
