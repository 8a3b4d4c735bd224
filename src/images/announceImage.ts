import { commands, env, l10n, window, workspace } from "vscode";
import { type CommandName, prefix } from "../manifest.ts";
import { quote } from "../text/safeText.ts";
import type { Images } from "./images.ts";
import type { SavedImage } from "./savedImage.ts";

type Announced = Pick<SavedImage, "uri" | "megapixels">;

/** Opens an image unless it is too large, and shows a notification. Does not wait for the user's response. */
export async function announceImage(images: Pick<Images, "ticket">, { uri, megapixels }: Announced): Promise<void> {
  if (megapixels === undefined) {
    await commands.executeCommand("vscode.open", uri, { preview: false, preserveFocus: true });
  }
  void offerActions(images, { uri, megapixels });
}

async function offerActions({ ticket }: Pick<Images, "ticket">, { uri, megapixels }: Announced): Promise<void> {
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
      : l10n.t(
          "The image is saved as {0}. It is not opened automatically because it has {1} megapixels.",
          file,
          count(megapixels),
        );
  const chosen = await window.showInformationMessage(text, ...actions);
  if (chosen) await commands.executeCommand(`${prefix}.${chosen.command}`, { image: uri.toString(), ticket });
}

function count(megapixels: number): string {
  return Math.ceil(megapixels).toLocaleString(env.language);
}

/** Tells the user how to recover an image whose download was cancelled. */
export async function announceKeptLink(): Promise<void> {
  await window.showInformationMessage(
    l10n.t("The image is paid for and its link is kept. Run “Recover Images” at any time to download it."),
  );
}
