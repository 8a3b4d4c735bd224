import { openResultsOf, questionOf } from "./conversation.ts";
import type { Call, Conversation, OfferedTool } from "./conversation.ts";
import { isRecord, parseJson } from "./json.ts";

type Order = Omit<Call, "id">;

/**
 * The tools that the model calls. `call <tool> with {json}` in a question calls that tool, once per occurrence. After a
 * result, the model answers in text.
 */
export function callsFor(conversation: Conversation): readonly Call[] {
  if (conversation.tools.length === 0) return [];
  if (openResultsOf(conversation).length > 0) return [];
  const rules = [spokenOrders, forcedOrder];
  const orders = rules.map((rule) => rule(conversation)).find((found) => found.length > 0) ?? [];
  const turn = conversation.turns.length;
  return orders.map((order, index) => ({ id: `call_${turn}_${index}`, ...order }));
}

function spokenOrders(conversation: Conversation): readonly Order[] {
  const question = questionOf(conversation);
  const spoken = [...question.matchAll(/\bcall [`#]?([\w-]+)`?( with (?=\{))?/gi)];
  return spoken.flatMap((match) => {
    const [all, name = "", how = ""] = match;
    if (!conversation.tools.some((tool) => tool.name === name)) return [];
    return [{ name, input: how === "" ? "{}" : leadingJson(question.slice(match.index + all.length)) }];
  });
}

function forcedOrder(conversation: Conversation): readonly Order[] {
  const tool = conversation.mustCall ? conversation.tools[0] : undefined;
  return tool ? [{ name: tool.name, input: sampleInput(tool, questionOf(conversation)) }] : [];
}

/** An input with the required properties of the tool's schema, which are texts. */
function sampleInput({ schema }: OfferedTool, question: string): string {
  const required: unknown = isRecord(schema) ? schema.required : undefined;
  const names = Array.isArray(required) ? required.map(String) : [];
  return JSON.stringify(Object.fromEntries(names.map((name) => [name, question])));
}

/** The JSON object at the start of a text. */
function leadingJson(text: string): string {
  for (let end = text.indexOf("}"); end >= 0; end = text.indexOf("}", end + 1)) {
    const candidate = text.slice(0, end + 1);
    if (isRecord(parseJson(candidate))) return candidate;
  }
  return "{}";
}
