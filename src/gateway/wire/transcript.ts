import type { ChatMessage, Tool } from "../types.ts";

/** Turns tool calls and results of a conversation into text. */
export function plainMessages(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  return messages.map((message) => ({
    role: message.role === "tool" ? "user" : message.role,
    content: plainContent(message),
  }));
}

/** A conversation as one text, for requests that take only text. A single question is unchanged. */
export function transcript(messages: readonly ChatMessage[]): string {
  const [first, ...others] = messages;
  if (first?.role === "user" && others.length === 0) return first.content;
  return messages.map((message) => `${speaker[message.role]}:\n${plainContent(message)}`).join("\n\n");
}

const speaker: Record<ChatMessage["role"], string> = {
  system: "Instructions",
  user: "User",
  assistant: "Assistant",
  tool: "Tool",
};

function plainContent(message: ChatMessage): string {
  if (message.role === "tool") return `Result of the tool call ${message.toolCallId}:\n${message.content}`;
  const calls = message.role === "assistant" ? (message.toolCalls ?? []) : [];
  const told = calls.map(({ id, name, input }) => `Tool call ${id}: ${name}(${JSON.stringify(input)})`);
  return [message.content, ...told].filter((text) => text !== "").join("\n");
}

/** The JSON Schema of a tool's arguments. A tool without a schema takes none. */
export function schemaOf({ inputSchema }: Tool): object {
  return inputSchema ?? { type: "object", properties: {} };
}
