import { chat, type ChatFollowup, type ChatParticipant, type ChatRequestHandler, l10n, ThemeIcon } from "vscode";
import { participantId } from "../../manifest.ts";
import { asText } from "../../base/json.ts";
import { isTask, type Task } from "../../prompts/tasks.ts";

/** Registers `@codex`. Loads at activation, so the handler is in a separate file. */
export function registerParticipant(answer: ChatRequestHandler): ChatParticipant {
  const participant = chat.createChatParticipant(participantId, answer);
  participant.iconPath = new ThemeIcon("hubot");
  participant.followupProvider = { provideFollowups: (result) => followUpsOf(asText(result.metadata?.command)) };
  return participant;
}

/** Follow-up suggestions by task. Other answers get none. */
const next: Readonly<Record<Task, () => readonly ChatFollowup[]>> = {
  explain: () => [
    { prompt: "", command: "fix", label: l10n.t("Check this code for mistakes") },
    { prompt: "", command: "doc", label: l10n.t("Document this code") },
  ],
  fix: () => [{ prompt: "", command: "tests", label: l10n.t("Write tests for the fix") }],
  tests: () => [{ prompt: l10n.t("Which cases do these tests not cover?"), label: l10n.t("Ask what is not covered") }],
  doc: () => [{ prompt: "", command: "tests", label: l10n.t("Write tests for this code") }],
};

function followUpsOf(command: string | undefined): ChatFollowup[] {
  return isTask(command) ? [...next[command]()] : [];
}
