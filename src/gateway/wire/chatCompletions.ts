import type { JsonObject } from "../../text/json.ts";
import type { ChatMessage, ChatRequest, Tool } from "../types.ts";
import { plainMessages, schemaOf, transcript } from "./transcript.ts";

/**
 * Request fields that the gateway's interface does not document, in the order in which they are given up when an entry
 * rejects one.
 */
const undocumentedFields = [
  "reasoning_effort",
  "stream_options",
  "tool_choice",
  "tools",
  "stream",
  "messages",
] as const;

/**
 * The body of a chat completion request without the fields in `dropped`. Dropping `tools` turns earlier tool calls into
 * text. Dropping `messages` sends the conversation as one `user` message, the only role in the interface.
 */
export function chatBody(request: ChatRequest, dropped: ReadonlySet<string>): JsonObject {
  const { model, tools = [], toolChoice, reasoningEffort } = request;
  const withTools = tools.length > 0 && !dropped.has("tools");
  const messages = dropped.has("tools") ? plainMessages(request.messages) : request.messages;
  return {
    model,
    messages: dropped.has("messages")
      ? [{ role: "user", content: transcript(request.messages) }]
      : messages.map(wireMessage),
    ...(withTools && { tools: tools.map(wireTool) }),
    ...(withTools && toolChoice === "required" && !dropped.has("tool_choice") && { tool_choice: "required" }),
    ...(reasoningEffort !== undefined && !dropped.has("reasoning_effort") && { reasoning_effort: reasoningEffort }),
    ...(!dropped.has("stream") && { stream: true }),
    ...(!dropped.has("stream") && !dropped.has("stream_options") && { stream_options: { include_usage: true } }),
  };
}

/** The undocumented fields that a body uses, in the order in which they are given up. */
export function chatFieldsOf(request: ChatRequest, dropped: ReadonlySet<string>): readonly string[] {
  const body = chatBody(request, dropped);
  const usesRoles = !dropped.has("messages") && request.messages.some(({ role }) => role !== "user");
  return undocumentedFields.filter((field) => (field === "messages" ? usesRoles : field in body));
}

function wireMessage(message: ChatMessage): JsonObject {
  if (message.role === "tool") return { role: "tool", tool_call_id: message.toolCallId, content: message.content };
  if (message.role !== "assistant" || !message.toolCalls?.length) {
    return { role: message.role, content: message.content };
  }
  const calls = message.toolCalls.map(({ id, name, input }) => ({
    id,
    type: "function",
    function: { name, arguments: JSON.stringify(input) },
  }));
  return { role: "assistant", content: message.content, tool_calls: calls };
}

function wireTool(tool: Tool): JsonObject {
  return { type: "function", function: { name: tool.name, description: tool.description, parameters: schemaOf(tool) } };
}
