import { l10n, type Uri, window } from "vscode";
import { sentences, textLanguage } from "../failures/sentences.ts";
import { quote } from "../text/safeText.ts";

/** An image order, and its destination. */
export interface ImageOrder {
  readonly prompt: string;
  /** `<width>x<height>`; `undefined` lets the gateway choose. */
  readonly size: string | undefined;
  readonly folder: Uri;
}

/** The recommended and most reliable size; others depend on the upstream service (gateway's interface). */
export const squareSize = "1024x1024";

/** Asks for the size of an image, or none to let the gateway choose. `undefined` if the user cancels. */
export async function pickSize(): Promise<Partial<Pick<ImageOrder, "size">> | undefined> {
  const onUpstream = l10n.t("if the upstream supports it");
  const item = (size: string, shape: string, note: string) => ({
    label: size,
    description: l10n.t("{0}, {1}", shape, note),
    size,
  });
  const items = [
    item(squareSize, l10n.t("Square"), l10n.t("recommended, most reliable")),
    item("1536x1024", l10n.t("Landscape"), onUpstream),
    item("1024x1536", l10n.t("Portrait"), onUpstream),
    { label: l10n.t("Let the Gateway Choose"), description: l10n.t("sends no size"), size: undefined },
  ];
  return await window.showQuickPick(items, {
    title: l10n.t("Select the image size"),
    placeHolder: l10n.t("To skip this step, set “codexGateway.image.size”."),
    ignoreFocusOut: true,
  });
}

/** The size of an order without a size picker; `undefined` lets the gateway choose. */
export function sizeFromSetting(setting: string): string | undefined {
  if (setting === "ask") return squareSize;
  return setting === "auto" ? undefined : setting;
}

/** Maximum length of a prompt in a confirmation, in characters. */
const maxExcerpt = 200;

/** Asks before an order that a link, a task or another extension may have started. */
export async function confirmOrder({ prompt, size }: Pick<ImageOrder, "prompt" | "size">): Promise<boolean> {
  const generate = l10n.t("Generate");
  const detail = `${promptExcerpt(prompt)}\n\n${sentences(sizeText(size), chargeText())}`;
  const chosen = await window.showInformationMessage(l10n.t("Generate an image?"), { modal: true, detail }, generate);
  return chosen === generate;
}

/** The size of an order, for use in a sentence. */
export function sizeText(size: string | undefined): string {
  return size === undefined ? l10n.t("The gateway chooses the size.") : l10n.t("Size: {0}.", size);
}

/** Who pays for an order, and how long it takes. */
export function chargeText(): string {
  return l10n.t("It is charged to the account of the image key and takes a minute or more.");
}

/** The beginning of a prompt, and the number of characters left out. `escape` prepares it for its destination. */
export function promptExcerpt(prompt: string, escape = (text: string): string => text): string {
  // Quotation marks in the prompt must not look like its end.
  const whole = quote(prompt, Infinity).replace(/[“”]/g, '"');
  const more = Array.from(whole).length - maxExcerpt;
  const beginning = escape(Array.from(whole).slice(0, maxExcerpt).join(""));
  if (more <= 0) return `“${beginning}”`;
  return l10n.t("“{0}” … and {1} more characters", beginning, more.toLocaleString(textLanguage()));
}
