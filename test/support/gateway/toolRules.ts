import { nextInSeries } from "./callSeries.ts";
import { openResultsOf, questionOf } from "./conversation.ts";
import type { Call, Conversation, OfferedTool } from "./conversation.ts";
import { isRecord, parseJson } from "./json.ts";
import { changeCode, fencedCode, sampleCode } from "./sampleCode.ts";

type Order = Omit<Call, "id">;

/**
 * The tools that the model calls. A series goes on after each result (`callSeries.ts`). Otherwise, `call <tool> with
 * {json}` in a question calls that tool, once per occurrence, and `call <tool> with broken arguments` writes malformed
 * JSON. A request for a picture calls an image tool. If only
 * editing tools are offered, as in inline chat, the first is called. After a result, the model answers in text.
 */
export function callsFor(conversation: Conversation): readonly Call[] {
  if (conversation.tools.length === 0) return [];
  const series = nextInSeries(conversation);
  if (series !== undefined) return series;
  if (openResultsOf(conversation).length > 0) return [];
  const rules = [spokenOrders, pictureOrder, editOrder, forcedOrder];
  const orders = rules.map((rule) => rule(conversation)).find((found) => found.length > 0) ?? [];
  const turn = conversation.turns.length;
  return orders.map((order, index) => ({ id: `call_${turn}_${index}`, ...order }));
}

function spokenOrders(conversation: Conversation): readonly Order[] {
  const question = questionOf(conversation);
  const spoken = [...question.matchAll(/\bcall [`#]?([\w-]+)`?( with broken arguments| with (?=\{))?/gi)];
  return spoken.flatMap((match) => {
    const [all, name = "", how = ""] = match;
    if (!conversation.tools.some((tool) => tool.name === name)) return [];
    if (how.includes("broken")) return [{ name, input: '{"broken": ' }];
    return [{ name, input: how === "" ? "{}" : leadingJson(question.slice(match.index + all.length)) }];
  });
}

function pictureOrder(conversation: Conversation): readonly Order[] {
  const question = questionOf(conversation);
  const tool = conversation.tools.find(({ name }) => /generate_?image/i.test(name));
  if (!tool || !/\b(draw|paint|picture|image)\b/i.test(question)) return [];
  return [{ name: tool.name, input: JSON.stringify({ prompt: question.trim() }) }];
}

function editOrder(conversation: Conversation): readonly Order[] {
  const { tools } = conversation;
  if (!tools.every(({ name }) => /edit|replace|insert|patch|exit/i.test(name))) return [];
  const tool = tools.find(({ name }) => /replace_string|insert_edit/i.test(name)) ?? tools[0];
  return tool ? [{ name: tool.name, input: sampleInput(tool, conversation) }] : [];
}

function forcedOrder(conversation: Conversation): readonly Order[] {
  const tool = conversation.mustCall ? conversation.tools[0] : undefined;
  return tool ? [{ name: tool.name, input: sampleInput(tool, conversation) }] : [];
}

/** An input with the required properties of the tool's schema. */
function sampleInput({ schema }: OfferedTool, conversation: Conversation): string {
  const properties = isRecord(schema) && isRecord(schema.properties) ? schema.properties : {};
  const required: unknown = isRecord(schema) ? schema.required : undefined;
  const names = Array.isArray(required) ? required.map(String) : Object.keys(properties);
  return JSON.stringify(
    Object.fromEntries(names.map((name) => [name, sampleValue(name, properties[name], conversation)])),
  );
}

function sampleValue(name: string, property: unknown, conversation: Conversation): unknown {
  const { type, enum: choices } = isRecord(property) ? property : {};
  if (Array.isArray(choices)) return choices[0] as unknown;
  if (type === "number" || type === "integer") return 1;
  if (type === "boolean") return true;
  if (type === "array") return [];
  if (type === "object") return {};
  const question = questionOf(conversation);
  const everything = conversation.turns.map(({ text }) => text).join("\n");
  const code = fencedCode(everything);
  if (/path|file|uri/i.test(name))
    return /(?:file:\/\/)?(?:[A-Za-z]:)?[\\/][^\s"'`<>]+\.\w+/.exec(everything)?.[0] ?? "";
  if (/old/i.test(name)) return code?.code ?? "";
  if (/new|code|content/i.test(name)) return code ? changeCode(code, question).code : sampleCode(question).code;
  return question;
}

/** The JSON object at the start of a text. */
function leadingJson(text: string): string {
  for (let end = text.indexOf("}"); end >= 0; end = text.indexOf("}", end + 1)) {
    const candidate = text.slice(0, end + 1);
    if (isRecord(parseJson(candidate))) return candidate;
  }
  return "{}";
}
