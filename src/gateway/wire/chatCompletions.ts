import { GatewayError } from "../errors.ts";
import type { ChatMessage, ChatRequest, FinishReason, Tool } from "../types.ts";
import { type AnswerReader, type ContentPart, Ending } from "./answerReader.ts";
import { asArray, asCount, asObject, asText, type JsonObject, keysOf } from "./json.ts";
import { schemaOf, ToolCallAssembler } from "./toolCalls.ts";
import { plainMessages, transcript } from "./transcript.ts";
import { readUsage } from "./usage.ts";

/** Fields the interface does not show, in the order in which they are given up when an entry refuses one of them. */
const undocumentedFields = ["stream_options", "tool_choice", "tools", "stream", "messages"] as const;

/**
 * The body of a chat completion request without the fields in `dropped`. `tools` dropped: earlier tool calls become
 * text. `messages` dropped: the conversation becomes one message of the user role, the only role the interface shows.
 */
export function chatBody(request: ChatRequest, dropped: ReadonlySet<string>): JsonObject {
  const { model, tools = [], toolChoice } = request;
  const withTools = tools.length > 0 && !dropped.has("tools");
  const messages = dropped.has("tools") ? plainMessages(request.messages) : request.messages;
  return {
    model,
    messages: dropped.has("messages")
      ? [{ role: "user", content: transcript(request.messages) }]
      : messages.map(wireMessage),
    ...(withTools && { tools: tools.map(wireTool) }),
    ...(withTools && toolChoice === "required" && !dropped.has("tool_choice") && { tool_choice: "required" }),
    ...(!dropped.has("stream") && { stream: true }),
    ...(!dropped.has("stream") && !dropped.has("stream_options") && { stream_options: { include_usage: true } }),
  };
}

/** Those undocumented fields that a body makes use of, in the order in which they are given up. */
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

/** Reads chat completions, whole or as chunks: a whole one is read as a single chunk. */
export function chatReader(): AnswerReader {
  const calls = new ToolCallAssembler();
  const ending = new Ending();
  return {
    get isFinished() {
      return ending.reason !== undefined;
    },
    read(json) {
      ending.usage = readUsage(json.usage) ?? ending.usage;
      if (!Array.isArray(json.choices)) {
        if (json.usage) return [];
        throw new GatewayError("unreadable", `The answer has no choices but: ${keysOf(json)}.`);
      }
      const choice = asObject(json.choices[0]);
      if (choice === undefined) return [];
      const reason = asText(choice.finish_reason);
      if (reason !== undefined) ending.reason ??= finishReasons[reason] ?? "stop";
      const delta = asObject(choice.delta) ?? asObject(choice.message) ?? {};
      for (const fragment of asArray(delta.tool_calls)) addFragment(calls, asObject(fragment) ?? {});
      return textParts(delta);
    },
    end: () => [...calls.parts(), ...ending.parts(calls.isEmpty ? "stop" : "toolCalls")],
  };
}

const finishReasons: Readonly<Record<string, FinishReason>> = {
  stop: "stop",
  length: "length",
  content_filter: "contentFilter",
  tool_calls: "toolCalls",
  function_call: "toolCalls",
};

function textParts({ reasoning_content, reasoning, content, refusal }: JsonObject): ContentPart[] {
  const parts: ContentPart[] = [];
  const thought = asText(reasoning_content) ?? asText(reasoning);
  if (thought !== undefined) parts.push({ type: "reasoning", text: thought });
  const text = asText(content) ?? asText(refusal);
  if (text !== undefined) parts.push({ type: "text", text });
  return parts;
}

function addFragment(calls: ToolCallAssembler, fragment: JsonObject): void {
  const call = asObject(fragment.function) ?? {};
  const text = asText(call.arguments) ?? "";
  calls.add(asCount(fragment.index), { id: asText(fragment.id), name: asText(call.name), text });
}
