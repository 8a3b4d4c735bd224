import type { AnswerPart, ChatRequest } from "../gateway/types.ts";
import type { Services } from "../services.ts";

/** Asks through the operation that the settings name. */
export function ask(
  { gateway, settings }: Pick<Services, "gateway" | "settings">,
  request: ChatRequest,
  signal: AbortSignal,
): AsyncIterable<AnswerPart> {
  return settings().chatApi === "responses" ? gateway.respond(request, signal) : gateway.chat(request, signal);
}
