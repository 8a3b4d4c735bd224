import type { JsonObject } from "../../text/json.ts";
import type { ChatMessage, ChatRequest, TextApi, Tool, ToolCall } from "../types.ts";

/**
 * The body of a chat completion request without the fields in `dropped`. Dropping `tools` turns earlier tool calls into
 * text. Dropping `messages` sends the conversation as one `user` message, the only role in the interface.
 */
export function chatBody(request: ChatRequest, dropped: ReadonlySet<string>): JsonObject {
  const { model, reasoningEffort } = request;
  const messages = dropped.has("tools") ? plainMessages(request.messages) : request.messages;
  return {
    model,
    messages: dropped.has("messages")
      ? [{ role: "user", content: transcript(request.messages) }]
      : messages.map(wireMessage),
    ...toolFields(request, dropped, (tool) => ({ type: "function", function: tool })),
    ...(reasoningEffort !== undefined && !dropped.has("reasoning_effort") && { reasoning_effort: reasoningEffort }),
    ...(!dropped.has("stream") && { stream: true }),
    ...(!dropped.has("stream") && !dropped.has("stream_options") && { stream_options: { include_usage: true } }),
  };
}

/**
 * The body of a responses request without the fields in `dropped`. `input` is the documented string. Its undocumented
 * list form carries earlier turns, each tool call and result once, and is given up as the field `input`. Reasoning is
 * not repeated.
 */
export function responsesBody(request: ChatRequest, dropped: ReadonlySet<string>): JsonObject {
  const { model, messages, reasoningEffort } = request;
  return {
    model,
    input: needsList(request, dropped) ? messages.flatMap(inputItems) : transcript(messages),
    ...toolFields(request, dropped, (tool) => ({ type: "function", ...tool })),
    ...(reasoningEffort !== undefined &&
      !dropped.has("reasoning_effort") && { reasoning: { effort: reasoningEffort } }),
    ...(!dropped.has("stream") && { stream: true }),
  };
}

/** Undocumented fields in the order in which they are given up when an entry rejects one, before the conversation. */
const optional = ["reasoning_effort", "stream_options", "tool_choice", "tools", "stream"];

/** The fields in a body that the gateway's interface does not document. `reasoning_effort` stands for `reasoning`, too. */
export function fieldsOf(api: TextApi, request: ChatRequest, dropped: ReadonlySet<string>): readonly string[] {
  const body = (api === "responses" ? responsesBody : chatBody)(request, dropped);
  const names = Object.keys(body).map((name) => (name === "reasoning" ? "reasoning_effort" : name));
  const fields = optional.filter((field) => names.includes(field));
  if (Array.isArray(body.input)) return [...fields, "input"];
  const usesRoles = api === "chatCompletions" && request.messages.some(({ role }) => role !== "user");
  return usesRoles && !dropped.has("messages") ? [...fields, "messages"] : fields;
}

function toolFields(
  { tools = [], toolChoice }: ChatRequest,
  dropped: ReadonlySet<string>,
  wireTool: (tool: JsonObject) => JsonObject,
): JsonObject {
  if (tools.length === 0 || dropped.has("tools")) return {};
  return {
    tools: tools.map(({ name, description, inputSchema }: Tool) =>
      // A tool without a schema takes no arguments.
      wireTool({ name, description, parameters: inputSchema ?? { type: "object", properties: {} } }),
    ),
    ...(toolChoice === "required" && !dropped.has("tool_choice") && { tool_choice: "required" }),
  };
}

function wireMessage(message: ChatMessage): JsonObject {
  const { role, content } = message;
  if (role === "tool") return { role, tool_call_id: message.toolCallId, content };
  if (role !== "assistant" || !message.toolCalls?.length) return { role, content };
  const calls = message.toolCalls.map(({ id, name, input }) => ({
    id,
    type: "function",
    function: { name, arguments: JSON.stringify(input) },
  }));
  return { role, content, tool_calls: calls };
}

function needsList({ messages }: ChatRequest, dropped: ReadonlySet<string>): boolean {
  const hasCalls = messages.some((message) => message.role === "tool" || callsOf(message).length > 0);
  if (dropped.has("input") || (hasCalls && dropped.has("tools"))) return false;
  return messages.some(({ role }) => role === "assistant" || role === "tool");
}

function inputItems(message: ChatMessage): readonly JsonObject[] {
  const { role, content } = message;
  if (role === "tool") return [{ type: "function_call_output", call_id: message.toolCallId, output: content }];
  const calls = callsOf(message).map(({ id, name, input }) => ({
    type: "function_call",
    call_id: id,
    name,
    arguments: JSON.stringify(input),
  }));
  return [...(content === "" ? [] : [{ role, content }]), ...calls];
}

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
  const told = callsOf(message).map(({ id, name, input }) => `Tool call ${id}: ${name}(${JSON.stringify(input)})`);
  return [message.content, ...told].filter((text) => text !== "").join("\n");
}

function callsOf(message: ChatMessage): readonly ToolCall[] {
  return message.role === "assistant" ? (message.toolCalls ?? []) : [];
}
