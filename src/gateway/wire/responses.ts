import type { JsonObject } from "../../text/json.ts";
import type { ChatMessage, ChatRequest, Tool } from "../types.ts";
import { schemaOf, transcript } from "./transcript.ts";

/**
 * Request fields that the gateway's interface does not document, in the order in which they are given up when an entry
 * rejects one. `reasoning_effort` stands for `reasoning`, as in chat completions.
 */
const undocumentedFields = ["reasoning_effort", "tool_choice", "tools", "stream", "input"] as const;

/**
 * The body of a responses request without the fields in `dropped`. `input` is the documented string. Its undocumented
 * list form carries earlier turns, each tool call and result once, and is given up as the field `input`. Reasoning is
 * not repeated.
 */
export function responsesBody(request: ChatRequest, dropped: ReadonlySet<string>): JsonObject {
  const { model, messages, tools = [], toolChoice, reasoningEffort } = request;
  const withTools = tools.length > 0 && !dropped.has("tools");
  return {
    model,
    input: needsList(request, dropped) ? messages.flatMap(inputItems) : transcript(messages),
    ...(withTools && { tools: tools.map(wireTool) }),
    ...(withTools && toolChoice === "required" && !dropped.has("tool_choice") && { tool_choice: "required" }),
    ...(reasoningEffort !== undefined &&
      !dropped.has("reasoning_effort") && { reasoning: { effort: reasoningEffort } }),
    ...(!dropped.has("stream") && { stream: true }),
  };
}

/** The undocumented fields that a body uses, in the order in which they are given up. */
export function responsesFieldsOf(request: ChatRequest, dropped: ReadonlySet<string>): readonly string[] {
  const body = responsesBody(request, dropped);
  return undocumentedFields.filter((field) => {
    if (field === "input") return Array.isArray(body.input);
    return (field === "reasoning_effort" ? "reasoning" : field) in body;
  });
}

function needsList({ messages }: ChatRequest, dropped: ReadonlySet<string>): boolean {
  const hasCalls = messages.some(
    (message) => message.role === "tool" || (message.role === "assistant" && message.toolCalls?.length),
  );
  if (dropped.has("input") || (hasCalls && dropped.has("tools"))) return false;
  return messages.some(({ role }) => role === "assistant" || role === "tool");
}

function inputItems(message: ChatMessage): readonly JsonObject[] {
  if (message.role === "tool") {
    return [{ type: "function_call_output", call_id: message.toolCallId, output: message.content }];
  }
  const calls = message.role === "assistant" ? (message.toolCalls ?? []) : [];
  const text = message.content === "" ? [] : [{ role: message.role, content: message.content }];
  const items = calls.map(({ id, name, input }) => ({
    type: "function_call",
    call_id: id,
    name,
    arguments: JSON.stringify(input),
  }));
  return [...text, ...items];
}

function wireTool(tool: Tool): JsonObject {
  return { type: "function", name: tool.name, description: tool.description, parameters: schemaOf(tool) };
}
