import { l10n, Uri, window } from "vscode";
import { sentences } from "../failures/sentences.ts";
import { GatewayError } from "../gateway/errors.ts";
import { wholeAnswer } from "../gateway/wholeAnswer.ts";
import type { Services } from "../services.ts";
import { modelOf } from "../settings/tokenLimits.ts";
import { oneLine } from "../text/lines.ts";
import { quote } from "../text/safeText.ts";
import { withProgressNotification } from "../ui/withProgressNotification.ts";
import { generateImage } from "./generateImage.ts";
import { chargeText, promptExcerpt, sizeText } from "./imageOrder.ts";
import type { ImageRecord } from "./storedImages.ts";

/** Asks what should change, and refines the image. Retry does not ask again. */
export async function refineImage(services: Services, image: ImageRecord): Promise<void> {
  const question = l10n.t("What should change? {0}", promptExcerpt(image.prompt));
  const change = await inputText(l10n.t("Refine the image"), question);
  if (change === undefined) return;
  const retry = (): Promise<unknown> =>
    services.notifier.run({ name: "refineImage", keyGroup: "codex", retry }, () => refine(services, image, change));
  await retry();
}

/** Orders a new image once the user has confirmed or edited the reworded prompt. */
async function refine(services: Services, { file, prompt, size }: ImageRecord, change: string): Promise<void> {
  const folder = Uri.joinPath(Uri.parse(file), "..");
  const reworded = await reword(services, prompt, change);
  const facts = sentences(l10n.t("Enter generates the image."), sizeText(size), chargeText());
  const confirmed = await inputText(l10n.t("Generate an image?"), facts, reworded);
  if (confirmed === undefined) return;
  await services.images.lastPrompt.set(confirmed);
  await generateImage(services, { prompt: confirmed, size, folder });
}

/** A text that the user types; `undefined` if there is none. */
async function inputText(title: string, prompt: string, value = ""): Promise<string | undefined> {
  const text = await window.showInputBox({ title, prompt, value, ignoreFocusOut: true });
  return text === undefined || text.trim() === "" ? undefined : text.trim();
}

const instructions =
  "Reword a prompt for an image model so that it describes the image after a change that the user wants. Keep everything " +
  "else, and the language of the prompt. Answer with the new prompt alone, inside <prompt> and </prompt>.";

/** Has the chat model reword the prompt. Without a key for that, the change is appended to the prompt. */
export async function reword(
  { gateway, settings: current }: { readonly gateway: Pick<Services["gateway"], "ask"> } & Pick<Services, "settings">,
  prompt: string,
  change: string,
): Promise<string> {
  const settings = current();
  const joined = oneLine(`${prompt} ${change}`);
  const { id: model, reasoningEffort } = modelOf(settings.chatModel, settings);
  const content = `${instructions}\n\n<prompt>\n${prompt}\n</prompt>\n\n<change>\n${change}\n</change>`;
  const request = { api: settings.chatApi, model, messages: [{ role: "user" as const, content }], reasoningEffort };
  try {
    const title = l10n.t("Rewording “{0}”", quote(prompt, 60));
    const { text } = await withProgressNotification(title, ({ signal, observe }) =>
      wholeAnswer(gateway, [{ ...request, feature: "image" }, signal, observe]),
    );
    const [, inside = text] = /<prompt>(.*)<\/prompt>/s.exec(text) ?? [];
    const newPrompt = oneLine(inside).trim();
    return newPrompt === "" ? joined : newPrompt;
  } catch (error) {
    if (error instanceof GatewayError && error.kind === "noKey") return joined;
    throw error;
  }
}
