import type { ChatRequestTurn, ChatResponseTurn } from "vscode";
import type { Exchange } from "../../text/fitHistory.ts";
import { askedText } from "./question.ts";

/** The properties of a chat turn that are used here. */
type EarlierTurn =
  Pick<ChatRequestTurn, "participant" | "prompt" | "command"> | Pick<ChatResponseTurn, "participant" | "response">;

/**
 * Earlier questions to `participant` with their answers, oldest first. `language` is VS Code's display language; the
 * prompts of commands depend on it. Skips questions without an answer.
 */
export function readHistory(turns: readonly EarlierTurn[], participant: string, language: string): readonly Exchange[] {
  const exchanges: Exchange[] = [];
  let question: string | undefined;
  for (const turn of turns) {
    if (turn.participant !== participant) continue;
    if ("prompt" in turn) {
      question = askedText(turn, language);
      continue;
    }
    const answer = answerText(turn);
    if (question === undefined || answer === "") continue;
    exchanges.push({ question, answer });
    question = undefined;
  }
  return exchanges;
}

/** The model's own text. Lines added by the extension allow theme icons, answers never do. */
function answerText({ response }: Pick<ChatResponseTurn, "response">): string {
  return response
    .map((part) =>
      "value" in part && "supportThemeIcons" in part.value && !part.value.supportThemeIcons ? part.value.value : "",
    )
    .join("");
}
