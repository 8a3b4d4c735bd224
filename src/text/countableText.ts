import type { ChatRequest, ToolCall } from "../gateway/types.ts";

/** The texts of a request that count as tokens. */
export function countableText({ messages, tools = [] }: Pick<ChatRequest, "messages" | "tools">): string {
  const said = messages.flatMap((message) => [
    message.content,
    ...(message.role === "assistant" ? (message.toolCalls ?? []).map(callText) : []),
  ]);
  return [...said, ...(tools.length > 0 ? [JSON.stringify(tools)] : [])].join("\n");
}

/** The text of a tool call that counts as tokens. */
export function callText({ name, input }: Pick<ToolCall, "name" | "input">): string {
  return `${name} ${JSON.stringify(input)}`;
}
