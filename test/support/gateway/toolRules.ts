import { openResultsOf, questionOf } from "./conversation.ts";
import type { Call, Conversation, OfferedTool } from "./conversation.ts";
import { isRecord, parseJson } from "./json.ts";
import { changeCode, fencedCode, sampleCode } from "./sampleCode.ts";

type Order = Omit<Call, "id">;

/**
 * The tools that the model calls. A series goes on after each result (`nextInSeries`). Otherwise, `call <tool> with
 * {json}` in a question calls that tool, once per occurrence, and `call <tool> with broken arguments` writes malformed
 * JSON. A request for a picture calls an image tool. If only
 * editing tools are offered, as in inline chat, the first is called. After a result, the model answers in text.
 */
export function callsFor(conversation: Conversation): readonly Call[] {
  if (conversation.tools.length === 0) return [];
  const next = nextInSeries(conversation);
  if (next !== undefined) return next;
  if (openResultsOf(conversation).length > 0) return [];
  const rules = [spokenOrders, pictureOrder, editOrder, forcedOrder];
  const orders = rules.map((rule) => rule(conversation)).find((found) => found.length > 0) ?? [];
  const turn = conversation.turns.length;
  return orders.map((order, index) => ({ id: `call_${turn}_${index}`, ...order }));
}

const series = /\bcall ([\w-]+) (\d+) times in sequence with (\{[^}]*\})/;

/**
 * The next call of a series: `call <tool> 30 times in sequence with {json}` calls that tool 30 times, each time after
 * the result of the call before. `#` in the JSON is the number of the call. Results in the form of text count, too.
 * Empty once all results are there; `undefined` if no series was asked for.
 */
function nextInSeries({ turns, tools }: Conversation): readonly Call[] | undefined {
  const asked = turns.findLastIndex(({ role, text }) => role === "user" && series.test(text));
  const text = turns[asked]?.text ?? "";
  const match = series.exec(text);
  const [, name = "", times = "", input = ""] = match ?? [];
  if (match === null || !tools.some((tool) => tool.name === name)) return undefined;
  const asText = text.slice(match.index).match(/^Result of the tool call /gm) ?? [];
  const done = asText.length + turns.slice(asked).filter(({ role }) => role === "tool").length;
  if (done >= Number(times)) return [];
  const number = String(done + 1);
  return [{ id: `call_series_${number}`, name, input: input.replaceAll("#", number) }];
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
