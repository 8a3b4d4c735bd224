import {
  type ChatRequest,
  type ChatRequestHandler,
  type ChatResponseStream,
  type ChatResult,
  type Command,
  commands,
  l10n,
  Location,
  MarkdownString,
  Uri,
  workspace,
} from "vscode";
import type { FailedAction, Notice } from "../../failures/notice.ts";
import { GatewayError } from "../../gateway/errors.ts";
import { participantName, prefix } from "../../manifest.ts";
import type { Services } from "../../services.ts";
import { escapeMarkdown } from "../../text/safeText.ts";
import { commandLinks } from "../../ui/commandLink.ts";
import { withSignal } from "../../ui/withSignal.ts";
import { answerQuestion, type AnswerServices } from "./answerQuestion.ts";
import { extensionLine } from "../answerNotes.ts";
import { isAttachment } from "../context/gatherContext.ts";
import { conversationIn, recordConversation, type ReadSources, recordTurn } from "../context/turnRecord.ts";
import { isImageReference } from "../models/unpublishedApi.ts";

type Needs = AnswerServices & Pick<Services, "notifier">;

/** Handles requests to `@codex`. `generateImages` answers `/image`. */
export function participantHandler(services: Needs, generateImages: GenerateImages): ChatRequestHandler {
  return async (request, context, stream, token) => {
    const conversation = conversationIn(context.history) ?? crypto.randomUUID();
    let read: ReadSources = {};
    const onRead = (sources: ReadSources): void => {
      read = sources;
    };
    const answer = (signal: AbortSignal): Promise<ChatResult> => {
      const turn = { request, context, stream, token, signal, conversation, onRead };
      return request.command === "image" ? answerImageCommand(generateImages, turn) : answerQuestion(services, turn);
    };
    const result = await withSignal(token, answer).catch((error: unknown) =>
      showFailure(services, error, request, stream),
    );
    return recordConversation(result, conversation, read);
  };
}

/** Shows a failure in the chat, with commands that help, and briefly in a notification. */
function showFailure(
  { notifier, settings }: Needs,
  error: unknown,
  request: ChatRequest,
  stream: ChatResponseStream,
): ChatResult {
  const isPicked = error instanceof GatewayError && (error.model ?? settings().chatModel) !== settings().chatModel;
  const notice = notifier.report(error, { ...failedTurn(request), modelFrom: isPicked ? "picker" : "chat.model" });
  if (!notice) return {};
  // Only one button, because VS Code shows every button as a primary one (VS Code 1.139).
  const [button, ...others] = helpCommands(notice);
  if (others.length > 0) stream.markdown(commandLinks(others));
  if (button) stream.button(button);
  return { errorDetails: { message: escapeMarkdown(notice.text) } };
}

/** Describes a turn for notices. Retry sends the same question with its files again; its images are those of an earlier turn. */
function failedTurn({
  command,
  prompt,
  references,
}: Pick<ChatRequest, "command" | "prompt" | "references">): FailedAction {
  const query = [`@${participantName}`, ...(command === undefined ? [] : [`/${command}`]), prompt].join(" ");
  const attachFiles = references.filter(isAttachment).flatMap(({ value }) => {
    if (!(value instanceof Location)) return value instanceof Uri ? value : [];
    const { start, end } = value.range;
    return {
      uri: value.uri,
      range: {
        startLineNumber: start.line + 1,
        startColumn: start.character + 1,
        endLineNumber: end.line + 1,
        endColumn: end.character + 1,
      },
    };
  });
  const retryCall = { command: "workbench.action.chat.open", arguments: [{ query, attachFiles }] };
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

/** The actions of a notice as commands for a chat, the most helpful first. */
export function helpCommands({ actions }: Pick<Notice, "actions">): readonly Command[] {
  return actions.flatMap(({ title, call }) => (call ? [{ title, ...call }] : []));
}

/** Generates images and saves them in the workspace. Returns none if the user chose no folder. */
type GenerateImages = (
  prompt: string,
  signal: AbortSignal,
  progress: (text: string) => void,
) => Promise<readonly { readonly uri: Uri; readonly isLarge: boolean }[]>;

interface ImageTurn {
  readonly request: Pick<ChatRequest, "prompt" | "command" | "references">;
  readonly stream: Pick<ChatResponseStream, "markdown" | "button" | "progress">;
  readonly signal: AbortSignal;
}

/** Answers `/image` with the images, links to their files, and buttons to insert a link. */
export async function answerImageCommand(
  generateImages: GenerateImages,
  { request, stream, signal }: ImageTurn,
): Promise<ChatResult> {
  const prompt = request.prompt.trim();
  const hasImage = request.references.some(({ value }) => isImageReference(value));
  if (prompt === "" || hasImage) {
    const onlyText = l10n.t("Images are generated from text only. Remove the attached image, and describe it instead.");
    stream.markdown(extensionLine(hasImage ? onlyText : l10n.t("Describe the image in a few words.")));
    return {};
  }
  const images = await generateImages(prompt, signal, (text) => {
    stream.progress(text);
  });
  if (images.length === 0) stream.markdown(extensionLine(l10n.t("No folder was selected, so no image was generated.")));
  for (const { uri, isLarge } of images) {
    stream.markdown(isLarge ? link(uri) : preview(uri));
    stream.button({ command: `${prefix}.insertImageLink`, title: l10n.t("Insert Link"), arguments: [uri] });
  }
  return recordTurn(request.command);
}

/**
 * The image and a link to its file. Only buttons may follow, because VS Code merges a following anchor into this Markdown and
 * then cannot load images of a remote workspace (VS Code 1.139).
 */
function preview(uri: Uri): MarkdownString {
  const markdown = new MarkdownString(`![${l10n.t("The generated image")}](${uri.toString()})\n\n`, true);
  return markdown.appendMarkdown(link(uri).value);
}

function link(uri: Uri): MarkdownString {
  const markdown = new MarkdownString("[", true).appendText(workspace.asRelativePath(uri));
  return markdown.appendMarkdown(`](${uri.toString()})`);
}
