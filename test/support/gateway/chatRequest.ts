import type { Call, Conversation, Turn } from "./conversation.ts";
import { isRecord } from "./json.ts";
import { checkPairs, contentOf, invalid, modelOf, roleOf, toolsOf } from "./textRequest.ts";

/** Reads the body of a chat completion. Throws `Refusal`. */
export function readChat(body: Readonly<Record<string, unknown>>, modelNotFoundStatus: number): Conversation {
  const { messages, tool_choice } = body;
  const model = modelOf(body, modelNotFoundStatus);
  if (!Array.isArray(messages) || messages.length === 0) throw invalid("messages", "'messages' must not be empty.");
  const turns = messages.map((message: unknown) => readTurn(message));
  checkPairs(turns);
  return { model, turns, tools: toolsOf(body), mustCall: tool_choice === "required" || isRecord(tool_choice) };
}

function readTurn(message: unknown): Turn {
  if (!isRecord(message)) throw invalid("messages", "Every message must be an object.");
  const text = contentOf(message.content, "messages[].content");
  if (message.role !== "tool") return { role: roleOf(message.role), text, calls: callsOf(message.tool_calls) };
  const callId = message.tool_call_id;
  if (typeof callId !== "string") throw invalid("tool_call_id", "A tool message needs its 'tool_call_id'.");
  return { role: "tool", text, calls: [], callId };
}

function callsOf(calls: unknown): readonly Call[] {
  if (calls === undefined || calls === null) return [];
  if (!Array.isArray(calls) || calls.length === 0) throw invalid("tool_calls", "'tool_calls' must not be empty.");
  return calls.map((call: unknown) => {
    const details = isRecord(call) ? call.function : undefined;
    if (!isRecord(call) || !isRecord(details)) throw invalid("tool_calls", "A tool call has no function.");
    const { name, arguments: input } = details;
    if (typeof call.id !== "string" || typeof name !== "string" || typeof input !== "string")
      throw invalid("tool_calls", "A tool call needs 'id', 'function.name' and 'function.arguments' as strings.");
    return { id: call.id, name, input };
  });
}
