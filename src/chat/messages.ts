import {
  LanguageModelChatMessageRole,
  type LanguageModelChatRequestMessage,
  type LanguageModelChatTool,
  LanguageModelTextPart,
  LanguageModelToolCallPart,
  LanguageModelToolResultPart,
} from "vscode";
import type { ChatMessage, Tool, ToolCall } from "../gateway/types.ts";

/** VS Code's conversation as the client takes it. Tool results, which VS Code puts into user messages, come first. */
export function toChatMessages(messages: readonly LanguageModelChatRequestMessage[]): readonly ChatMessage[] {
  return messages.flatMap(({ role, content }) => {
    const text = textOf(content);
    if (role === LanguageModelChatMessageRole.Assistant) {
      return [{ role: "assistant", content: text, toolCalls: content.flatMap(toToolCall) }];
    }
    if (isSystem(role)) return [{ role: "system", content: text }];
    const results = content.flatMap(toToolResult);
    return text === "" && results.length > 0 ? results : [...results, { role: "user", content: text }];
  });
}

/** The system prompt comes with a role that the published types do not have. */
function isSystem(role: number): boolean {
  return role === 3;
}

/** The text of a message's parts. */
export function textOf(content: readonly unknown[]): string {
  return content.map((part) => (part instanceof LanguageModelTextPart ? part.value : "")).join("");
}

/** VS Code's tools as the client takes them. */
export function toTool({ name, description, inputSchema }: LanguageModelChatTool): Tool {
  return { name, description, inputSchema };
}

function toToolCall(part: unknown): readonly ToolCall[] {
  if (!(part instanceof LanguageModelToolCallPart)) return [];
  return [{ id: part.callId, name: part.name, input: { ...part.input } }];
}

function toToolResult(part: unknown): readonly ChatMessage[] {
  if (!(part instanceof LanguageModelToolResultPart)) return [];
  return [{ role: "tool", toolCallId: part.callId, content: textOf(part.content) }];
}
