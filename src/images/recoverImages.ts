import { l10n, window } from "vscode";
import type { Services } from "../services.ts";
import { recoverImages as recover } from "./generateImage.ts";

/** Fetches the images that are paid for and were not saved, because something failed or the window closed. */
export async function recoverImages(services: Services): Promise<void> {
  if ((await recover(services)) > 0) return;
  void window.showInformationMessage(l10n.t("There is nothing to recover: every image that was made is saved."));
}
