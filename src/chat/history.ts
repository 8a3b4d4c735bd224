import type { ChatRequestTurn, ChatResponseTurn } from "vscode";
import type { ChatMessage } from "../gateway/types.ts";

/** What is read of a turn. */
type Turn = Pick<ChatRequestTurn, "participant" | "prompt"> | Pick<ChatResponseTurn, "participant" | "response">;

/** Earlier questions to one participant with their answers. Questions that got no answer are left out. */
export function readHistory(turns: readonly Turn[], participant: string): readonly ChatMessage[] {
  const messages: ChatMessage[] = [];
  let question: string | undefined;
  for (const turn of turns) {
    if (turn.participant !== participant) continue;
    if ("prompt" in turn) {
      question = turn.prompt;
      continue;
    }
    const answer = answerText(turn);
    if (question === undefined || answer === "") continue;
    messages.push({ role: "user", content: question }, { role: "assistant", content: answer });
    question = undefined;
  }
  return messages;
}

/** What the model said. The extension's own lines are told apart by their theme icons, which answers never have. */
function answerText({ response }: Pick<ChatResponseTurn, "response">): string {
  return response
    .map((part) =>
      "value" in part && "supportThemeIcons" in part.value && !part.value.supportThemeIcons ? part.value.value : "",
    )
    .join("");
}
