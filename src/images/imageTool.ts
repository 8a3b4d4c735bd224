import {
  l10n,
  LanguageModelDataPart,
  LanguageModelTextPart,
  type LanguageModelTool,
  LanguageModelToolResult,
  MarkdownString,
} from "vscode";
import { sentences } from "../failures/sentences.ts";
import type { ImageFile } from "../gateway/types.ts";
import { nameInRequests } from "../reading/promptPaths.ts";
import type { Services } from "../services.ts";
import { oneLine } from "../text/lines.ts";
import { escapeMarkdown, quote } from "../text/safeText.ts";
import { withSignal } from "../ui/withSignal.ts";
import { costText, promptExcerpt, sizeText } from "./ask/confirmOrder.ts";
import { sizeWithoutAsking } from "./ask/pickSize.ts";
import { generateForChat } from "./generateForChat.ts";
import type { GenerateNeeds } from "./generateImage.ts";
import type { ImageHistory } from "./history/imageHistory.ts";
import { type ImageInput, readImageInput } from "./imageInput.ts";
import { OrderBrake } from "./orderBrake.ts";
import type { SavedImage } from "./savedImage.ts";

type Needs = GenerateNeeds & Pick<Services, "settings">;

/**
 * The tool `#generateImage` for agents. The user confirms every image, because each is charged. The folder is not known
 * at that time, so the size comes from the settings without a folder. Validates the input, whatever the schema says.
 */
export function imageTool(services: Needs, brake = new OrderBrake()): LanguageModelTool<ImageInput> {
  const sizeOf = ({ size }: ImageInput): string => size ?? services.settings().imageSize;
  return {
    prepareInvocation: (options) => {
      const input = readImageInput(options.input);
      const size = sizeWithoutAsking(sizeOf(input));
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
      if (!(await brake.allows())) throw new Error(declined);
      const images = await withSignal(token, (signal) =>
        generateForChat(services, input.prompt, sizeOf(input), signal),
      ).catch((error: unknown) => {
        throw explained(services, error);
      });
      return toolResult(images);
    },
  };
}

/** Tells the model to stop. */
const declined =
  "The user wants no more images at present, so no image was made. Do not try again unless the user asks.";

/**
 * Escapes Markdown itself, because `appendText` converts spaces to `&nbsp;`, so lines would never wrap (VS Code
 * 1.139.1).
 */
function question(history: ImageHistory, prompt: string, size: string | undefined): MarkdownString {
  const last = history.all().find((image) => image.size === size && image.usage)?.usage;
  const facts = [
    sizeText(size),
    costText(),
    ...(last ? [l10n.t("The last image of this size used {0} tokens.", last.totalTokens)] : []),
  ];
  return new MarkdownString(`${sentences(...facts)}\n\n${promptExcerpt(prompt, escapeMarkdown)}`);
}

/** The cause for the model, which must not spend the user's money on a guess. */
function explained({ notifier }: Needs, error: unknown): unknown {
  const notice = notifier.report(error, { name: "image tool", keyGroup: "image" });
  if (notice === undefined) return error;
  return new Error(`${notice.text} Do not generate it again unless the user says so.`);
}

const mimeTypes: Record<ImageFile["type"], string> = { png: "image/png", jpeg: "image/jpeg", webp: "image/webp" };

/** The tool result for a model; without images, no folder was chosen. */
export function toolResult(images: readonly SavedImage[] | undefined): LanguageModelToolResult {
  return new LanguageModelToolResult(images?.flatMap(partsOf) ?? [new LanguageModelTextPart(noFolder)]);
}

/** Tells the model explicitly, so that it does not order again. */
const noFolder = "No folder was selected, so no image was generated. Do not try again unless the user asks.";

function partsOf({ uri, file, megapixels }: SavedImage): readonly (LanguageModelTextPart | LanguageModelDataPart)[] {
  const saved = `The image is saved in the workspace as ${oneLine(nameInRequests(uri))}.`;
  if (megapixels !== undefined) return [new LanguageModelTextPart(`${saved} It is too large to be shown here.`)];
  return [new LanguageModelTextPart(saved), LanguageModelDataPart.image(file.bytes, mimeTypes[file.type])];
}
