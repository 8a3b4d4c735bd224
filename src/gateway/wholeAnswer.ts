import type { FinishReason, Gateway } from "./types.ts";

/**
 * Returns the text of an answer. Stops reading beyond `limit` characters, and then returns no finish reason. Throws what
 * `Gateway.ask` throws.
 */
export async function wholeAnswer(
  gateway: Pick<Gateway, "ask">,
  asking: Parameters<Gateway["ask"]>,
  limit = Infinity,
): Promise<{ readonly text: string; readonly reason?: FinishReason }> {
  let text = "";
  for await (const part of gateway.ask(...asking)) {
    if (part.type === "finish") return { text, reason: part.reason };
    if (part.type === "text") text += part.text;
    if (text.length > limit) break;
  }
  return { text };
}
