import { commands, env, l10n, type Uri, window, workspace } from "vscode";
import { type CommandName, prefix } from "../manifest.ts";
import { quote } from "../text/safeText.ts";
import type { Images } from "./images.ts";

/** Says where an image was saved, and offers what is done next. `megapixels`: too many to open it by itself. */
export async function announceImage({ ticket }: Pick<Images, "ticket">, uri: Uri, megapixels?: number): Promise<void> {
  const file = quote(workspace.asRelativePath(uri));
  const actions: readonly { title: string; command: CommandName }[] = [
    ...(megapixels === undefined ? [] : [{ title: l10n.t("Open"), command: "openImage" as const }]),
    { title: l10n.t("Insert Link"), command: "insertImageLink" },
    { title: l10n.t("Reveal"), command: "revealImage" },
    { title: l10n.t("Copy Path"), command: "copyImagePath" },
    { title: l10n.t("Generate Again"), command: "generateImageAgain" },
  ];
  const text =
    megapixels === undefined
      ? l10n.t("The image is saved as {0}.", file)
      : l10n.t("The image is saved as {0}. It is not opened, because it has {1} megapixels.", file, count(megapixels));
  const chosen = await window.showInformationMessage(text, ...actions);
  if (chosen) await commands.executeCommand(`${prefix}.${chosen.command}`, { image: uri.toString(), ticket });
}

function count(megapixels: number): string {
  return Math.ceil(megapixels).toLocaleString(env.language);
}
