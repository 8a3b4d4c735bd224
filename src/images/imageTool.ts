import { l10n, type LanguageModelTool, MarkdownString } from "vscode";
import type { Services } from "../services.ts";
import { quote } from "../text/safeText.ts";
import { withSignal } from "../ui/withSignal.ts";
import type { ImageHistory } from "./imageHistory.ts";
import { imagesInWorkspace } from "./imageForChat.ts";
import type { MakingNeeds } from "./makeImage.ts";
import { sizeWithoutAsking } from "./sizes.ts";
import { toolResult } from "./toolResult.ts";

type Needs = MakingNeeds & Pick<Services, "settings">;

/** What a model passes, as package.json's schema has it. */
export interface ImageInput {
  readonly prompt: string;
  readonly size?: string;
}

/**
 * `#generateImage` for agents. The user confirms every image, because every image costs. They are asked before the folder
 * is known, so the size is that of no folder, then and later.
 */
export function imageTool(services: Needs): LanguageModelTool<ImageInput> {
  const sizeOf = ({ size }: ImageInput): string => size ?? services.settings().imageSize;
  return {
    prepareInvocation: ({ input }) => ({
      invocationMessage: l10n.t("Generating “{0}”", quote(input.prompt, 60)),
      confirmationMessages: {
        title: l10n.t("Generate an image?"),
        message: question(services.images.history, input.prompt, sizeWithoutAsking(sizeOf(input))),
      },
    }),
    invoke: async ({ input }, token) => {
      const images = await withSignal(token, (signal) =>
        imagesInWorkspace(services, input.prompt, sizeOf(input), signal),
      ).catch((error: unknown) => {
        throw explained(services, error);
      });
      return toolResult(images);
    },
  };
}

function question(history: ImageHistory, prompt: string, size: string | undefined): MarkdownString {
  const last = history.all().find((image) => image.size === size && image.usage)?.usage;
  const facts = [
    size === undefined ? l10n.t("The gateway chooses the size.") : l10n.t("Size: {0}.", size),
    l10n.t("It is charged to the account of the image key, and takes a minute or more."),
    ...(last ? [l10n.t("The last one of this size used {0} tokens.", last.totalTokens)] : []),
  ];
  return new MarkdownString(`${facts.join(" ")}\n\n“${escapeMarkdown(quote(prompt))}”`);
}

/** Markdown takes a backslash before any ASCII punctuation; `appendText` would make lines that never wrap. */
function escapeMarkdown(text: string): string {
  return text.replace(/[!-/:-@[-`{-~]/g, "\\$&");
}

/** The cause in words for the model, who must not spend the user's money on a guess. */
function explained({ notifier }: Needs, error: unknown): unknown {
  const notice = notifier.report(error, { name: "image tool", keyGroup: "image" });
  if (notice === undefined) return error;
  return new Error(`${notice.text} Do not generate it again unless the user says so.`);
}
