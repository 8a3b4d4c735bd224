import { GatewayError } from "../errors.ts";
import type { ChatMessage, ChatRequest, Tool } from "../types.ts";
import { type AnswerReader, type ContentPart, Ending } from "./answerReader.ts";
import { asArray, asObject, asText, type JsonObject, keysOf } from "./json.ts";
import { schemaOf, ToolCallAssembler } from "./toolCalls.ts";
import { transcript } from "./transcript.ts";
import { readUsage } from "./usage.ts";

/** Fields the interface does not show, in the order in which they are given up when an entry refuses one of them. */
const undocumentedFields = ["tool_choice", "tools", "stream", "input"] as const;

/**
 * The body of a responses request without the fields in `dropped`. `input` is the documented string; its list form,
 * which is not documented, serves only to carry tool results, and is given up as the field `input`.
 */
export function responsesBody(request: ChatRequest, dropped: ReadonlySet<string>): JsonObject {
  const { model, messages, tools = [], toolChoice } = request;
  const withTools = tools.length > 0 && !dropped.has("tools");
  return {
    model,
    input: needsList(request, dropped) ? messages.flatMap(inputItems) : transcript(messages),
    ...(withTools && { tools: tools.map(wireTool) }),
    ...(withTools && toolChoice === "required" && !dropped.has("tool_choice") && { tool_choice: "required" }),
    ...(!dropped.has("stream") && { stream: true }),
  };
}

/** Those undocumented fields that a body makes use of, in the order in which they are given up. */
export function responsesFieldsOf(request: ChatRequest, dropped: ReadonlySet<string>): readonly string[] {
  const body = responsesBody(request, dropped);
  return undocumentedFields.filter((field) => (field === "input" ? Array.isArray(body.input) : field in body));
}

function needsList({ messages }: ChatRequest, dropped: ReadonlySet<string>): boolean {
  return !dropped.has("input") && !dropped.has("tools") && messages.some(({ role }) => role === "tool");
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

/**
 * Reads answers of the responses operation, whole or as events. The interface does not show their shape; these are the
 * forms that OpenAI's API uses (https://platform.openai.com/docs/api-reference/responses).
 */
export function responsesReader(): AnswerReader {
  const calls = new ToolCallAssembler();
  const ending = new Ending();
  const streamed = new Set<ContentPart["type"]>();

  /** A whole response: the JSON body, or what `response.completed` carries. */
  function readResponse(response: JsonObject): readonly ContentPart[] {
    ending.usage = readUsage(response.usage) ?? ending.usage;
    const items = asArray(response.output).map((item) => asObject(item) ?? {});
    if (calls.isEmpty) items.forEach(addCall);
    const reason = asObject(response.incomplete_details)?.reason;
    ending.reason = reason === undefined ? undefined : reason === "content_filter" ? "contentFilter" : "length";
    ending.reason ??= calls.isEmpty ? "stop" : "toolCalls";
    const parts = items.flatMap(itemParts).filter((part) => !streamed.has(part.type));
    const shortcut = asText(response.output_text);
    return parts.length === 0 && shortcut !== undefined && !streamed.has("text")
      ? [{ type: "text", text: shortcut }]
      : parts;
  }

  function addCall({ type, call_id, id, name, arguments: text }: JsonObject): void {
    if (type !== "function_call") return;
    const callId = asText(call_id) ?? asText(id);
    calls.add(callId, { id: callId, name: asText(name), text: asText(text) ?? "" });
  }

  return {
    get isFinished() {
      return ending.reason !== undefined;
    },
    read(json) {
      const type = asText(json.type);
      if (type === undefined || type === "response") {
        if (Array.isArray(json.output) || asText(json.output_text) !== undefined) return readResponse(json);
        throw new GatewayError("unreadable", `The answer has no output but: ${keysOf(json)}.`);
      }
      if (type === "response.output_item.done") addCall(asObject(json.item) ?? {});
      if (type === "response.completed" || type === "response.incomplete") {
        return readResponse(asObject(json.response) ?? {});
      }
      const kind = deltas[type];
      const text = asText(json.delta);
      if (kind === undefined || text === undefined) return [];
      streamed.add(kind);
      return [{ type: kind, text }];
    },
    end: () => [...calls.parts(), ...ending.parts("stop")],
  };
}

/** Events that carry a piece of text; the many others say nothing that the last one does not repeat. */
const deltas: Readonly<Record<string, "text" | "reasoning">> = {
  "response.output_text.delta": "text",
  "response.refusal.delta": "text",
  "response.reasoning_summary_text.delta": "reasoning",
  "response.reasoning_text.delta": "reasoning",
};

function itemParts({ type, content, summary }: JsonObject): readonly ContentPart[] {
  const kind = type === "reasoning" ? "reasoning" : "text";
  const pieces = [...asArray(content), ...asArray(summary)].map((piece) => asObject(piece) ?? {});
  return pieces.flatMap((piece) => {
    const text = asText(piece.text) ?? asText(piece.refusal);
    return text === undefined ? [] : [{ type: kind, text }];
  });
}
