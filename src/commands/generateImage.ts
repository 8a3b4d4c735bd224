import { l10n, window } from "vscode";
import { chooseFolder } from "../images/chooseFolder.ts";
import { makeImage } from "../images/makeImage.ts";
import type { Services } from "../services.ts";

/** Asks for a prompt and generates an image into the workspace. */
export async function generateImage(services: Services): Promise<void> {
  const folder = await chooseFolder(services);
  if (folder === undefined) return;
  const prompt = await window.showInputBox({
    title: l10n.t("Generate an image"),
    prompt: l10n.t("Describe the image."),
    ignoreFocusOut: true,
    validateInput: (text) => (text.trim() === "" ? l10n.t("Describe the image in a few words.") : undefined),
  });
  if (prompt !== undefined) await makeImage(services, prompt.trim(), folder);
}
