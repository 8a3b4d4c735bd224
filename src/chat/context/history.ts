import type { ChatRequestTurn, ChatResponseTurn } from "vscode";
import type { ChatMessage } from "../../gateway/types.ts";
import { estimateTokens } from "../../text/estimateTokens.ts";
import { askedText } from "./question.ts";

/** What is read of a turn. */
type EarlierTurn =
  Pick<ChatRequestTurn, "participant" | "prompt" | "command"> | Pick<ChatResponseTurn, "participant" | "response">;

/** A question with its answer. */
export interface Exchange {
  readonly question: string;
  readonly answer: string;
}

/**
 * Earlier questions to one participant with their answers, as `language`, VS Code's, has them asked. Questions that got no
 * answer are left out.
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

/** The newest exchanges that fit into `budget` tokens, as messages in their order. */
export function fitHistory(exchanges: readonly Exchange[], budget: number): readonly ChatMessage[] {
  let room = budget;
  const tooOld = exchanges.findLastIndex(({ question, answer }) => {
    room -= estimateTokens(question) + estimateTokens(answer);
    return room < 0;
  });
  return exchanges.slice(tooOld + 1).flatMap(({ question, answer }): readonly ChatMessage[] => [
    { role: "user", content: question },
    { role: "assistant", content: answer },
  ]);
}

/** What the model said. The extension's own lines are told apart by their theme icons, which answers never have. */
function answerText({ response }: Pick<ChatResponseTurn, "response">): string {
  return response
    .map((part) =>
      "value" in part && "supportThemeIcons" in part.value && !part.value.supportThemeIcons ? part.value.value : "",
    )
    .join("");
}
