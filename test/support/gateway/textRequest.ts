import { Refusal } from "./refusal.ts";
import type { Call, Conversation, OfferedTool, Turn } from "./conversation.ts";
import { isRecord } from "./json.ts";

const textModels: readonly unknown[] = ["gpt-5.3-codex", "gpt-5.3-codex-spark", "gpt-5.4", "gpt-5.4-mini", "gpt-5.5"];

type Fields = Readonly<Record<string, unknown>>;

/** Reads the body of a chat completion. Throws `Refusal`. */
export function readChat({ messages, ...body }: Fields): Conversation {
  if (!Array.isArray(messages) || messages.length === 0) throw invalid("messages", "'messages' must not be empty.");
  return conversationOf(body, messages);
}

/** Reads the body of a responses request, as if its items were messages. Throws `Refusal`. */
export function readResponses({ input, instructions, ...body }: Fields): Conversation {
  const items: unknown = typeof input === "string" && input !== "" ? [{ role: "user", content: input }] : input;
  if (!Array.isArray(items) || items.length === 0) throw invalid("input", "'input' must not be empty.");
  const rules = typeof instructions === "string" ? [{ role: "system", content: instructions }] : [];
  return conversationOf(body, [...rules, ...items.filter((item) => !isReasoning(item)).map(messageOf)]);
}

function conversationOf(body: Fields, messages: readonly unknown[]): Conversation {
  const model = modelOf(body);
  const turns = joinCalls(messages.map(readTurn));
  checkPairs(turns);
  const { tool_choice } = body;
  return { model, turns, tools: toolsOf(body), mustCall: tool_choice === "required" || isRecord(tool_choice) };
}

function isReasoning(item: unknown): boolean {
  return isRecord(item) && item.type === "reasoning" && typeof item.encrypted_content === "string";
}

/** The message of a chat completion that says the same as an item of a response. */
function messageOf(item: unknown): unknown {
  if (!isRecord(item)) return item;
  const { type, call_id: id, name, arguments: input, output } = item;
  if (type === "function_call")
    return { role: "assistant", tool_calls: [{ id, function: { name, arguments: input } }] };
  return type === "function_call_output" ? { role: "tool", tool_call_id: id, content: output } : item;
}

function readTurn(message: unknown): Turn {
  if (!isRecord(message)) throw invalid("messages", "Every message must be an object.");
  const text = contentOf(message.content, "content");
  if (message.role !== "tool") return { role: roleOf(message.role), text, calls: callsOf(message.tool_calls) };
  const callId = message.tool_call_id;
  if (typeof callId !== "string") throw invalid("tool_call_id", "The result of a tool needs the id of its call.");
  return { role: "tool", text, calls: [], callId };
}

function callsOf(calls: unknown): readonly Call[] {
  if (calls === undefined || calls === null) return [];
  if (!Array.isArray(calls) || calls.length === 0) throw invalid("tool_calls", "'tool_calls' must not be empty.");
  return calls.map((call: unknown) => {
    const { name, arguments: input } = isRecord(call) && isRecord(call.function) ? call.function : {};
    if (!isRecord(call) || typeof call.id !== "string" || typeof name !== "string" || typeof input !== "string")
      throw invalid("tool_calls", "A tool call needs an id, a name, and arguments, all of them strings.");
    return { id: call.id, name, input };
  });
}

/** Merges adjacent turns with calls, which responses have as items of their own. */
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

/** The model a text request names. */
function modelOf({ model }: Fields): string {
  if (typeof model !== "string") throw new Refusal(400, "missing_required_parameter", "'model' is required.", "model");
  if (textModels.includes(model)) return model;
  throw new Refusal(404, "model_not_found", `The model '${model}' does not exist.`, "model");
}

/** The offered tools, in either API's form. */
function toolsOf({ tools = [] }: Fields): readonly OfferedTool[] {
  if (!Array.isArray(tools)) throw invalid("tools", "'tools' must be an array.");
  return tools.map((tool: unknown) => {
    const definition = isRecord(tool) && isRecord(tool.function) ? tool.function : tool;
    if (!isRecord(definition) || typeof definition.name !== "string") throw invalid("tools", "A tool has no name.");
    const { name, description, parameters } = definition;
    if (!/^[\w-]{1,64}$/.test(name)) throw invalid("tools", `'${name}' is not a valid function name.`);
    if (parameters !== undefined && (!isRecord(parameters) || parameters.type !== "object"))
      throw invalid("tools", `The parameters of '${name}' must be a JSON Schema of type 'object'.`);
    return { name, description: typeof description === "string" ? description : "", schema: parameters };
  });
}

/** The text of a message: a string, or the text parts of a list. */
function contentOf(content: unknown, param: string): string {
  if (typeof content === "string") return content;
  if (content === null || content === undefined) return "";
  if (!Array.isArray(content)) throw invalid(param, `'${param}' must be a string or an array of parts.`);
  return content.map((part: unknown) => (isRecord(part) && typeof part.text === "string" ? part.text : "")).join("");
}

/** A role known to both APIs. */
function roleOf(role: unknown): "system" | "user" | "assistant" {
  if (role === "developer" || role === "system") return "system";
  if (role === "user" || role === "assistant") return role;
  throw invalid("role", `'${String(role)}' is not a role.`);
}

/** Rejects tool results without a call, and calls without a result, as OpenAI's API does. */
function checkPairs(turns: readonly Turn[]): void {
  const open = new Set<string>();
  for (const turn of turns) {
    if (turn.role === "tool") {
      if (!open.delete(turn.callId ?? ""))
        throw invalid("tool_call_id", `No tool call found for the result of '${turn.callId ?? ""}'.`);
      continue;
    }
    checkAnswered(open);
    for (const { id } of turn.calls) open.add(id);
  }
  checkAnswered(open);
}

function checkAnswered(open: ReadonlySet<string>): void {
  if (open.size > 0) throw invalid("tool_calls", `No result for the tool call '${[...open].join("', '")}'.`);
}

/** A 400 error about one field. */
export function invalid(param: string, message: string): Refusal {
  return new Refusal(400, "invalid_request_error", message, param);
}
