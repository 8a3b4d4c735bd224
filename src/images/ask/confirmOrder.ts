import { l10n, window } from "vscode";
import type { ImageOrder } from "../pendingImages.ts";
import { promptExcerpt } from "../promptExcerpt.ts";

/** Asks before an order that may have been started from anywhere: a link, a task, another extension. */
export async function confirmOrder({ prompt, size }: Pick<ImageOrder, "prompt" | "size">): Promise<boolean> {
  const generate = l10n.t("Generate");
  const detail = `${promptExcerpt(prompt)}\n\n${sizeText(size)} ${costText()}`;
  const chosen = await window.showInformationMessage(l10n.t("Generate an image?"), { modal: true, detail }, generate);
  return chosen === generate;
}

/** The size of an order in a sentence. */
export function sizeText(size: string | undefined): string {
  return size === undefined ? l10n.t("The gateway chooses the size.") : l10n.t("Size: {0}.", size);
}

/** What every order costs, as far as it is known. */
export function costText(): string {
  return l10n.t("It is charged to the account of the image key, and takes a minute or more.");
}
