import type { ChatRequest, ToolCall } from "../../gateway/types.ts";

/** The texts of a request that count as tokens. `dropped` names the fields that were left out of the request. */
export function countableText({ messages, tools = [] }: ChatRequest, dropped: readonly string[]): string {
  const said = messages.flatMap((message) => [
    message.content,
    ...(message.role === "assistant" ? (message.toolCalls ?? []).map(callText) : []),
  ]);
  const hasTools = tools.length > 0 && !dropped.includes("tools");
  return [...said, ...(hasTools ? [JSON.stringify(tools)] : [])].join("\n");
}

/** The text of a tool call that counts as tokens. */
export function callText({ name, input }: Pick<ToolCall, "name" | "input">): string {
  return `${name} ${JSON.stringify(input)}`;
}
