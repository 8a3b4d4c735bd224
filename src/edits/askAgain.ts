import type { ChatRequest, Gateway } from "../gateway/types.ts";

/** The request for a second attempt, after an answer whose edits do not fit. */
export function secondRequest(request: ChatRequest, answer: string, prompt: string): ChatRequest {
  return {
    ...request,
    messages: [...request.messages, { role: "assistant", content: answer }, { role: "user", content: prompt }],
  };
}

/** Asks for a second attempt. Returns its whole text; `undefined` if it ends early. */
export async function askAgain(
  gateway: Pick<Gateway, "ask">,
  request: ChatRequest,
  signal: AbortSignal,
): Promise<string | undefined> {
  let text = "";
  let isWhole = false;
  for await (const part of gateway.ask(request, signal, () => undefined)) {
    if (part.type === "text") text += part.text;
    if (part.type === "finish") isWhole = part.reason === "stop";
  }
  return isWhole ? text : undefined;
}
