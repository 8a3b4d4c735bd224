import {
  l10n,
  LanguageModelDataPart,
  LanguageModelTextPart,
  type LanguageModelTool,
  LanguageModelToolResult,
  MarkdownString,
  window,
} from "vscode";
import { ReportedFailure } from "../failures/notifier.ts";
import { sentences } from "../failures/sentences.ts";
import { nameInRequests } from "../reading/promptPaths.ts";
import type { Services } from "../services.ts";
import { imageSizePattern } from "../settings/settings.ts";
import { asObject } from "../base/json.ts";
import { oneLine } from "../text/lines.ts";
import { escapeMarkdown, quote } from "../text/safeText.ts";
import { withSignal } from "../ui/withSignal.ts";
import { downloadAction, downloadAndSave, type GenerateNeeds, orderAndStore } from "./generateImage.ts";
import type { ImageHistory } from "./history/imageHistory.ts";
import { chooseFolder } from "./imageFolder.ts";
import { chargeText, promptExcerpt, sizeFromSetting, sizeText } from "./imageOrder.ts";
import type { ImageInput } from "./images.ts";
import type { SavedImage } from "./savedImage.ts";
import type { PendingImage } from "./storedImages.ts";

type Needs = GenerateNeeds & Pick<Services, "settings">;

/** Generates and saves images for a chat. `size` as in the setting. Without a folder, asks for one; `undefined` orders nothing. */
export async function generateForChat(
  services: Needs,
  { prompt, size }: ImageInput,
  signal: AbortSignal,
  progress?: (text: string) => void,
): Promise<readonly SavedImage[] | undefined> {
  const folder = await chooseFolder(services);
  if (folder === undefined) return undefined;
  const ordered = sizeFromSetting(size ?? services.settings(folder).imageSize);
  progress?.(l10n.t("Generating the image. This can take a few minutes."));
  const pending = await orderAndStore(services, { prompt, size: ordered, folder }, signal);
  progress?.(l10n.t("Downloading the image…"));
  const download = (image: PendingImage): Promise<SavedImage | undefined> =>
    downloadAndSave(services, image, signal).catch((error: unknown) => {
      // In a notification, whose Retry does not order a second image as the chat's would.
      const notice = services.notifier.report(error, downloadAction(services, image));
      throw notice ? new ReportedFailure(notice, error) : error;
    });
  const saved = await Promise.all(pending.map(download));
  return saved.filter((image) => image !== undefined);
}

/**
 * The tool `#generateImage` for agents. The user confirms every image, because each is charged. At that time the folder is
 * unknown, so the size comes from the settings without a folder. Validates the input, because models may ignore the schema.
 */
export function imageTool(services: Needs, allowsOrder = orderLimit()): LanguageModelTool<ImageInput> {
  const sizeOf = ({ size }: ImageInput): string => size ?? services.settings().imageSize;
  return {
    prepareInvocation: (options) => {
      const input = readImageInput(options.input);
      const size = sizeFromSetting(sizeOf(input));
      return {
        invocationMessage: new MarkdownString(l10n.t("Generating “{0}”", escapeMarkdown(quote(input.prompt, 60)))),
        confirmationMessages: {
          title: l10n.t("Generate an image?"),
          message: question(services.images.history, input.prompt, size),
        },
      };
    },
    invoke: async (options, token) => {
      const input = readImageInput(options.input);
      if (!(await allowsOrder()))
        throw new Error(
          "The user wants no more images at present, so no image was made. Do not try again unless the user asks.",
        );
      try {
        const ordered = { prompt: input.prompt, size: sizeOf(input) };
        return toolResult(await withSignal(token, (signal) => generateForChat(services, ordered, signal)));
      } catch (error) {
        const notice = services.notifier.report(error, { name: "image tool", keyGroup: "image" });
        // The cause for the model, which must not spend the user's money on a guess.
        throw notice ? new Error(`${notice.text} Do not generate it again unless the user says so.`) : error;
      }
    },
  };
}

/** Validates the input. Throws a message for the model, because models may ignore the schema. */
export function readImageInput(input: unknown): ImageInput {
  const fields = asObject(input);
  if (!fields) throw wrong("The input must be an object.");
  const { prompt, size } = fields;
  if (typeof prompt !== "string" || prompt.trim() === "") throw wrong('"prompt" must be a text that is not empty.');
  if (size === undefined || size === null || size === "") return { prompt };
  if (typeof size !== "string" || !imageSizePattern.test(size)) {
    throw wrong('"size" must be width and height in pixels, such as 1024x1024, or be left out.');
  }
  return { prompt, size };
}

function wrong(what: string): Error {
  return new Error(`No image was made. ${what}`);
}

/** The confirmation. Escapes Markdown itself: `appendText` turns spaces into `&nbsp;`, so lines never wrap (VS Code 1.139.1). */
function question(history: ImageHistory, prompt: string, size: string | undefined): MarkdownString {
  const last = history.all().find((image) => image.size === size && image.usage)?.usage;
  const facts = [
    sizeText(size),
    chargeText(),
    ...(last ? [l10n.t("The last image of this size used {0} tokens.", last.totalTokens)] : []),
  ];
  return new MarkdownString(`${sentences(...facts)}\n\n${promptExcerpt(prompt, escapeMarkdown)}`);
}

/** The tool result for a model; without images, no folder was chosen, and the model must not order again. */
export function toolResult(images: readonly SavedImage[] | undefined): LanguageModelToolResult {
  const noFolder = "No folder was selected, so no image was generated. Do not try again unless the user asks.";
  return new LanguageModelToolResult(images?.flatMap(partsOf) ?? [new LanguageModelTextPart(noFolder)]);
}

function partsOf({ uri, file, isLarge }: SavedImage): readonly (LanguageModelTextPart | LanguageModelDataPart)[] {
  const saved = `The image is saved in the workspace as ${oneLine(nameInRequests(uri))}.`;
  if (isLarge) return [new LanguageModelTextPart(`${saved} It is too large to be shown here.`)];
  return [new LanguageModelTextPart(saved), LanguageModelDataPart.image(file.bytes, `image/${file.type}`)];
}

/** Maximum number of images that agents order in a time span, in milliseconds, before the user is asked again. */
const maxOrders = 10;
const span = 60 * 60 * 1000;

/**
 * Limits orders by agents. VS Code's own confirmation can be turned off (`chat.tools.global.autoApprove`, 1.139). The function
 * counts an order, unless there were too many and the user declines. Waiting orders share one question.
 */
export function orderLimit(now: () => number = Date.now, ask = askForMore): () => Promise<boolean> {
  let orders: readonly number[] = [];
  let asking: Promise<boolean> | undefined;
  const recent = (): readonly number[] => orders.filter((time) => time > now() - span);
  const askOnce = async (): Promise<boolean> => {
    try {
      const isAllowed = await ask();
      if (isAllowed) orders = [];
      return isAllowed;
    } finally {
      asking = undefined;
    }
  };
  return async () => {
    while (recent().length >= maxOrders) {
      if (!(await (asking ??= askOnce()))) return false;
    }
    orders = [...recent(), now()];
    return true;
  };
}

async function askForMore(): Promise<boolean> {
  const proceed = l10n.t("Continue");
  const detail = l10n.t("Every image is charged to the account of the image key. Continue allows {0} more.", maxOrders);
  const text = l10n.t("Agents have requested {0} images within an hour. Allow more?", maxOrders);
  return (await window.showWarningMessage(text, { modal: true, detail }, proceed)) === proceed;
}
