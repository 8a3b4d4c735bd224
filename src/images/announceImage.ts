import { commands, l10n, type Uri, window, workspace } from "vscode";
import { type CommandName, prefix } from "../manifest.ts";
import { quote } from "../text/safeText.ts";
import type { Images } from "./images.ts";

/** Says where an image was saved, and offers what is done next. */
export async function announceImage({ ticket }: Pick<Images, "ticket">, uri: Uri): Promise<void> {
  const actions: readonly { title: string; command: CommandName }[] = [
    { title: l10n.t("Insert Link"), command: "insertImageLink" },
    { title: l10n.t("Reveal"), command: "revealImage" },
    { title: l10n.t("Copy Path"), command: "copyImagePath" },
    { title: l10n.t("Generate Again"), command: "generateImageAgain" },
  ];
  const text = l10n.t("The image is saved as {0}.", quote(workspace.asRelativePath(uri)));
  const chosen = await window.showInformationMessage(text, ...actions);
  if (chosen) await commands.executeCommand(`${prefix}.${chosen.command}`, { image: uri.toString(), ticket });
}
