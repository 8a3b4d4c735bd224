import { chat, type ChatParticipant, type ChatRequestHandler, ThemeIcon } from "vscode";
import { participantId } from "../../manifest.ts";
import { followUpsOf } from "./followUps.ts";
import { commandOf } from "./turnRecord.ts";

/** Registers `@codex`, whose questions `answer` answers. Loads at activation, so the handler stays in a file of its own. */
export function registerParticipant(answer: ChatRequestHandler): ChatParticipant {
  const participant = chat.createChatParticipant(participantId, answer);
  participant.iconPath = new ThemeIcon("hubot");
  participant.followupProvider = { provideFollowups: (result) => followUpsOf(commandOf(result)) };
  return participant;
}
