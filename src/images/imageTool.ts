import { l10n, type LanguageModelTool, MarkdownString } from "vscode";
import type { Services } from "../services.ts";
import { escapeMarkdown, quote } from "../text/safeText.ts";
import { withSignal } from "../ui/withSignal.ts";
import { costText, promptExcerpt, sizeText } from "./ask/confirmOrder.ts";
import { sizeWithoutAsking } from "./ask/pickSize.ts";
import { generateForChat } from "./generateForChat.ts";
import type { GenerateNeeds } from "./generateImage.ts";
import type { ImageHistory } from "./history/imageHistory.ts";
import { type ImageInput, readImageInput } from "./imageInput.ts";
import { OrderBrake } from "./orderBrake.ts";
import { toolResult } from "./toolResult.ts";

type Needs = GenerateNeeds & Pick<Services, "settings">;

/**
 * `#generateImage` for agents. The user confirms every image, because every image costs. They are asked before the folder
 * is known, so the size is that of no folder, then and later. What a model passes is checked, whatever the schema says.
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

/** For the model, which is to stop. */
const declined =
  "The user wants no more images at present, so no image was made. Do not try again unless the user asks.";

/** Built by hand, since `appendText` would leave lines that never wrap. */
function question(history: ImageHistory, prompt: string, size: string | undefined): MarkdownString {
  const last = history.all().find((image) => image.size === size && image.usage)?.usage;
  const facts = [
    sizeText(size),
    costText(),
    ...(last ? [l10n.t("The last image of this size used {0} tokens.", last.totalTokens)] : []),
  ];
  return new MarkdownString(`${facts.join(" ")}\n\n${promptExcerpt(prompt, escapeMarkdown)}`);
}

/** The cause in words for the model, who must not spend the user's money on a guess. */
function explained({ notifier }: Needs, error: unknown): unknown {
  const notice = notifier.report(error, { name: "image tool", keyGroup: "image" });
  if (notice === undefined) return error;
  return new Error(`${notice.text} Do not generate it again unless the user says so.`);
}
