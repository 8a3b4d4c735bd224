import { env, l10n, window } from "vscode";
import { quote } from "../../text/safeText.ts";
import type { ImageOrder } from "../pendingImages.ts";

/** As many characters of a prompt as a question before an order shows. */
const longest = 200;

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
  return l10n.t("It is charged to the account of the image key and takes a minute or more.");
}

/** The beginning of a prompt, and how much more of it there is. `escape` makes it fit for where it is shown. */
export function promptExcerpt(prompt: string, escape = (text: string): string => text): string {
  // Quotation marks in the prompt must not look as if they ended it.
  const whole = quote(prompt, Infinity).replace(/[“”]/g, '"');
  const more = Array.from(whole).length - longest;
  const beginning = escape(Array.from(whole).slice(0, longest).join(""));
  if (more <= 0) return `“${beginning}”`;
  return l10n.t("“{0}” … and {1} more characters", beginning, more.toLocaleString(env.language));
}
