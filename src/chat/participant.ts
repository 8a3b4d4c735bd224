import {
  chat,
  type ChatParticipant,
  type ChatRequest,
  type ChatResponseStream,
  type ChatResult,
  commands,
  ThemeIcon,
} from "vscode";
import { GatewayError } from "../gateway/errors.ts";
import { participantId, participantName } from "../manifest.ts";
import type { Services } from "../services.ts";
import { withSignal } from "../ui/withSignal.ts";
import { answerQuestion } from "./answerQuestion.ts";
import { drawImage, type ImageMaker } from "./drawImage.ts";
import { followUpsOf } from "./followUps.ts";
import { helpButton } from "./helpButton.ts";
import { commandOf } from "./turnRecord.ts";

type Needs = Pick<Services, "gateway" | "settings" | "notifier">;

/** Registers `@codex`. `makeImages` answers `/image`. */
export function registerParticipant(services: Needs, makeImages: ImageMaker): ChatParticipant {
  const participant = chat.createChatParticipant(participantId, async (request, context, stream, token) => {
    try {
      return await withSignal(token, (signal) => {
        const turn = { request, context, stream, token, signal };
        return request.command === "image" ? drawImage(makeImages, turn) : answerQuestion(services, turn);
      });
    } catch (error) {
      return explain(services, error, request, stream);
    }
  });
  participant.iconPath = new ThemeIcon("hubot");
  participant.followupProvider = { provideFollowups: (result) => followUpsOf(commandOf(result)) };
  return participant;
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
