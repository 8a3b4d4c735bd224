import {
  type ChatRequest,
  type ChatRequestHandler,
  type ChatResponseStream,
  type ChatResult,
  type Command,
  commands,
} from "vscode";
import type { FailedAction, Notice } from "../../failures/notice.ts";
import { GatewayError } from "../../gateway/errors.ts";
import { participantName } from "../../manifest.ts";
import type { Services } from "../../services.ts";
import { escapeMarkdown } from "../../text/safeText.ts";
import { withSignal } from "../../ui/withSignal.ts";
import { answerImageCommand, type GenerateImages } from "./answerImageCommand.ts";
import { answerQuestion, type AnswerServices } from "./answerQuestion.ts";

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
