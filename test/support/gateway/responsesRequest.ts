import type { Conversation, Turn } from "./conversation.ts";
import { isRecord } from "./json.ts";
import { checkPairs, contentOf, invalid, modelOf, roleOf, toolsOf } from "./textRequest.ts";

/** Reads the body of a responses request. Throws `Refusal`. */
export function readResponses(body: Readonly<Record<string, unknown>>, modelNotFoundStatus: number): Conversation {
  const { input, instructions, tool_choice } = body;
  const model = modelOf(body, modelNotFoundStatus);
  const rules: Turn[] = typeof instructions === "string" ? [{ role: "system", text: instructions, calls: [] }] : [];
  const turns = [...rules, ...readInput(input)];
  checkPairs(turns);
  return { model, turns, tools: toolsOf(body), mustCall: tool_choice === "required" || isRecord(tool_choice) };
}

function readInput(input: unknown): readonly Turn[] {
  if (typeof input === "string" && input !== "") return [{ role: "user", text: input, calls: [] }];
  if (!Array.isArray(input) || input.length === 0) throw invalid("input", "'input' must not be empty.");
  return joinCalls(input.map((item: unknown) => readItem(item)));
}

function readItem(item: unknown): Turn {
  if (!isRecord(item)) throw invalid("input", "Every input item must be an object.");
  const { type, call_id: callId, name, arguments: args, output } = item;
  if (type === "function_call") {
    if (typeof callId !== "string" || typeof name !== "string" || typeof args !== "string")
      throw invalid("input", "A function call needs 'call_id', 'name' and 'arguments' as strings.");
    return { role: "assistant", text: "", calls: [{ id: callId, name, input: args }] };
  }
  if (type === "function_call_output") {
    if (typeof callId !== "string") throw invalid("input", "A function call output needs its 'call_id'.");
    return { role: "tool", text: contentOf(output, "output"), calls: [], callId };
  }
  return { role: roleOf(item.role), text: contentOf(item.content, "input[].content"), calls: [] };
}

/** Merges adjacent calls into one turn. */
function joinCalls(turns: readonly Turn[]): readonly Turn[] {
  const joined: Turn[] = [];
  for (const turn of turns) {
    const last = joined.at(-1);
    if (last && last.calls.length > 0 && turn.calls.length > 0)
      joined[joined.length - 1] = { ...last, calls: [...last.calls, ...turn.calls] };
    else joined.push(turn);
  }
  return joined;
}
