import type { ChatMessage } from "../gateway/types.ts";
import { estimateTokens } from "./estimateTokens.ts";

export interface Exchange {
  readonly question: string;
  readonly answer: string;
}

/** The newest exchanges that fit into `budget` tokens, as messages in chronological order. */
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
