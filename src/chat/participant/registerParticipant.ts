import { chat, type ChatParticipant, type ChatRequestHandler, ThemeIcon } from "vscode";
import { participantId } from "../../manifest.ts";
import { followUpsOf } from "./followUps.ts";
import { commandOf } from "./turnRecord.ts";

/** Registers `@codex`. Loads at activation, so the handler is in a separate file. */
export function registerParticipant(answer: ChatRequestHandler): ChatParticipant {
  const participant = chat.createChatParticipant(participantId, answer);
  participant.iconPath = new ThemeIcon("hubot");
  participant.followupProvider = { provideFollowups: (result) => followUpsOf(commandOf(result)) };
  return participant;
}
