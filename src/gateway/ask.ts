import type { AnswerPart, ChatRequest, Gateway, WaitingEvent } from "./types.ts";

/** The operations that answer a question, as `codexGateway.chat.api` names them. */
export type TextApi = "chatCompletions" | "responses";

/** Asks through the operation that the settings name. */
export function ask(
  gateway: Pick<Gateway, "chat" | "respond">,
  api: TextApi,
  request: ChatRequest,
  signal: AbortSignal,
  observe?: (event: WaitingEvent) => void,
): AsyncIterable<AnswerPart> {
  const operation = api === "responses" ? "respond" : "chat";
  return gateway[operation](request, signal, observe);
}
