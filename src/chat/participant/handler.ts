import {
  type ChatRequest,
  type ChatRequestHandler,
  type ChatResponseStream,
  type ChatResult,
  type Command,
  commands,
  l10n,
  MarkdownString,
  type Uri,
  workspace,
} from "vscode";
import type { FailedAction, Notice } from "../../failures/notice.ts";
import { GatewayError } from "../../gateway/errors.ts";
import { participantName, prefix } from "../../manifest.ts";
import type { Services } from "../../services.ts";
import { escapeMarkdown } from "../../text/safeText.ts";
import { withSignal } from "../../ui/withSignal.ts";
import { answerQuestion, type AnswerServices } from "./answerQuestion.ts";
import { extensionLine } from "../context/extensionLines.ts";
import { recordTurn } from "../context/turnRecord.ts";

type Needs = AnswerServices & Pick<Services, "notifier">;

/** Handles requests to `@codex`. `generateImages` answers `/image`. */
export function participantHandler(services: Needs, generateImages: GenerateImages): ChatRequestHandler {
  return async (request, context, stream, token) => {
    try {
      return await withSignal(token, (signal) => {
        const turn = { request, context, stream, token, signal };
        return request.command === "image" ? answerImageCommand(generateImages, turn) : answerQuestion(services, turn);
      });
    } catch (error) {
      return explain(services, error, request, stream);
    }
  };
}

/** Shows the cause in the chat with a button, and briefly in a notification. */
function explain(
  { notifier, settings }: Needs,
  error: unknown,
  request: ChatRequest,
  stream: ChatResponseStream,
): ChatResult {
  const isPicked = error instanceof GatewayError && (error.model ?? settings().chatModel) !== settings().chatModel;
  const notice = notifier.report(error, { ...turnOf(request), modelFrom: isPicked ? "picker" : "chat.model" });
  if (!notice) return {};
  const button = helpButton(notice);
  if (button) stream.button(button);
  return { errorDetails: { message: escapeMarkdown(notice.text) } };
}

/** Describes a turn for notices. Retry sends the same question again. */
function turnOf({ command, prompt }: Pick<ChatRequest, "command" | "prompt">): FailedAction {
  const query = [`@${participantName}`, ...(command === undefined ? [] : [`/${command}`]), prompt].join(" ");
  const retryCall = { command: "workbench.action.chat.open", arguments: [{ query }] };
  return {
    name: command ?? "chat",
    keyGroup: command === "image" ? "image" : "codex",
    retry: async () => {
      await commands.executeCommand(retryCall.command, ...retryCall.arguments);
    },
    retryCall,
    isInChat: true,
  };
}

/** The button below a failure in a chat: the first action of the notification that is a command. */
export function helpButton({ actions }: Pick<Notice, "actions">): Command | undefined {
  const action = actions.find(({ call }) => call !== undefined);
  return action?.call && { title: action.title, ...action.call };
}

/**
 * Generates images and saves them in the workspace; provided by the image feature. Returns none when no folder was
 * chosen.
 */
type GenerateImages = (
  prompt: string,
  signal: AbortSignal,
  progress: (text: string) => void,
) => Promise<readonly { readonly uri: Uri; readonly isLarge: boolean }[]>;

interface ImageTurn {
  readonly request: Pick<ChatRequest, "prompt" | "command">;
  readonly stream: Pick<ChatResponseStream, "markdown" | "button" | "progress">;
  readonly signal: AbortSignal;
}

/** Answers `/image` with the image, and buttons to open it and to insert a link. */
export async function answerImageCommand(
  generateImages: GenerateImages,
  { request, stream, signal }: ImageTurn,
): Promise<ChatResult> {
  const prompt = request.prompt.trim();
  if (prompt === "") {
    stream.markdown(extensionLine("info", l10n.t("Describe the image in a few words.")));
    return {};
  }
  const images = await generateImages(prompt, signal, (text) => {
    stream.progress(text);
  });
  if (images.length === 0)
    stream.markdown(extensionLine("info", l10n.t("No folder was selected, so no image was generated.")));
  for (const { uri, isLarge } of images) {
    stream.markdown(isLarge ? link(uri) : preview(uri));
    stream.button({ command: "vscode.open", title: l10n.t("Open Image"), arguments: [uri] });
    stream.button({ command: `${prefix}.insertImageLink`, title: l10n.t("Insert Link"), arguments: [uri] });
  }
  return recordTurn(request.command, undefined);
}

/**
 * The image and a link to its file. Only buttons may follow: VS Code merges a following anchor into this Markdown, and
 * then cannot load images of a remote workspace (seen in VS Code 1.139).
 */
function preview(uri: Uri): MarkdownString {
  const markdown = new MarkdownString(`![${l10n.t("The generated image")}](${uri.toString()})\n\n`, true);
  return markdown.appendMarkdown(link(uri).value);
}

/** A link to an image file, labeled with its path. */
function link(uri: Uri): MarkdownString {
  const markdown = new MarkdownString("[", true).appendText(workspace.asRelativePath(uri));
  return markdown.appendMarkdown(`](${uri.toString()})`);
}
