import { type ChatRequest, type ChatRequestHandler, type ChatResponseStream, type ChatResult, commands } from "vscode";
import { GatewayError } from "../gateway/errors.ts";
import { participantName } from "../manifest.ts";
import type { Services } from "../services.ts";
import { withSignal } from "../ui/withSignal.ts";
import { answerQuestion } from "./answerQuestion.ts";
import { drawImage, type ImageMaker } from "./drawImage.ts";
import { helpButton } from "./helpButton.ts";

type Needs = Pick<Services, "gateway" | "settings" | "notifier">;

/** Answers each turn with `@codex`. `makeImages` answers `/image`. */
export function participantHandler(services: Needs, makeImages: ImageMaker): ChatRequestHandler {
  return async (request, context, stream, token) => {
    try {
      return await withSignal(token, (signal) => {
        const turn = { request, context, stream, token, signal };
        return request.command === "image" ? drawImage(makeImages, turn) : answerQuestion(services, turn);
      });
    } catch (error) {
      return explain(services, error, request, stream);
    }
  };
}

/** The cause stands in the chat, with a button where a command helps, and in a notification. */
function explain(
  { notifier }: Needs,
  error: unknown,
  { command, prompt }: ChatRequest,
  stream: ChatResponseStream,
): ChatResult {
  const keyGroup = command === "image" ? "image" : "codex";
  const query = [`@${participantName}`, ...(command === undefined ? [] : [`/${command}`]), prompt].join(" ");
  const retry = async (): Promise<void> => {
    await commands.executeCommand("workbench.action.chat.open", { query });
  };
  const notice = notifier.report(error, { name: command ?? "chat", keyGroup, retry });
  if (!notice) return {};
  const button = error instanceof GatewayError ? helpButton(error.kind, keyGroup) : undefined;
  if (button) stream.button(button);
  return { errorDetails: { message: notice.text } };
}
