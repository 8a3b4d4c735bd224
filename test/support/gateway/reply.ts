import { parseJson } from "../../../src/text/json.ts";
import {
  type Call,
  type Conversation,
  earlierQuestionsOf,
  type OfferedTool,
  openResultsOf,
  questionOf,
} from "./conversation.ts";
import { answerInline, inlineQuestionOf } from "./inlineEdit.ts";
import { isRecord } from "./json.ts";
import { changeCode, fencedCode, sampleCode } from "./sampleCode.ts";

/** A model's reply: text, or calls of offered tools. */
export interface Reply {
  readonly text: string;
  readonly calls: readonly Call[];
}

/** A kind of question and the answer to it. */
interface Rule {
  readonly applies: (question: string, conversation: Conversation) => boolean;
  readonly answer: (question: string, conversation: Conversation) => string;
}

/** The first rule that applies answers. */
const rules: readonly Rule[] = [
  { applies: (_, conversation) => openResultsOf(conversation).length > 0, answer: quoteResults },
  {
    applies: (_, conversation) => inlineQuestionOf(conversation) !== undefined,
    answer: (_, conversation) => answerAboutLines(conversation),
  },
  { applies: (question) => /\bcount to \d+/i.test(question), answer: count },
  {
    applies: (question, conversation) => asksForEarlier.test(question) && earlierQuestionsOf(conversation).length > 0,
    answer: listEarlier,
  },
  { applies: (question) => asksForCode.test(question) || fencedCode(question) !== undefined, answer: writeCode },
  { applies: () => true, answer: explain },
];

const asksForEarlier = /\b(before|earlier|previous(ly)?|so far)\b/i;
const asksForCode = /\b(code|function|class|method|implement|refactor|rewrite|rename|script|snippet)\b/i;

/** Answers a question deterministically. */
export function reply(conversation: Conversation): Reply {
  const calls = callsFor(conversation);
  if (calls.length > 0) return { text: "", calls };
  const before = codeBeforeCursor(conversation);
  if (before !== undefined) return { text: completeCode(before), calls };
  const question = questionOf(conversation);
  const rule = rules.find(({ applies }) => applies(question, conversation));
  return { text: `${rule?.answer(question, conversation) ?? ""}\n\n*Answered by ${conversation.model}.*`, calls };
}

function quoteResults(_: string, conversation: Conversation): string {
  const results = openResultsOf(conversation).map(({ name, text }) => `- \`${name}\` says: ${excerpt(text, 400)}`);
  return `The tools brought this:\n\n${results.join("\n")}`;
}

function answerAboutLines(conversation: Conversation): string {
  const asked = inlineQuestionOf(conversation);
  if (asked === undefined) return "";
  if (/\bcount to \d+/i.test(asked.question)) return count(asked.question);
  if (asksForEarlier.test(asked.question)) return listEarlier("", conversation);
  return answerInline(asked);
}

function count(question: string): string {
  const last = Math.min(Number(/\bcount to (\d+)/i.exec(question)?.[1] ?? 1), 10_000);
  return Array.from({ length: last }, (_, index) => `${index + 1}.`).join("\n");
}

function listEarlier(_: string, conversation: Conversation): string {
  const earlier = earlierQuestionsOf(conversation).map((text, index) => `${index + 1}. ${excerpt(text, 200)}`);
  return `Before this you asked:\n\n${earlier.join("\n")}`;
}

function writeCode(question: string): string {
  const given = fencedCode(question);
  const { language, code } = given === undefined ? sampleCode(question) : changeCode(given, question);
  const intro = given === undefined ? "This would do it:" : "Here is the code with the change:";
  return `${quote(question)}\n\n${intro}\n\n\`\`\`${language}\n${code}\n\`\`\``;
}

function explain(question: string, { turns }: Conversation): string {
  const turn = turns.filter(({ role }) => role === "user").length;
  const words = question.split(/\s+/).filter((word) => word !== "").length;
  return `You asked:\n\n${quote(question)}\n\nThis is **answer ${turn}** of the conversation. Your question has\n\n| words | characters |\n| --- | --- |\n| ${words} | ${question.length} |`;
}

function quote(text: string): string {
  return excerpt(text.replace(/```[\s\S]*?```/g, "…"), 600).replace(/^/gm, "> ");
}

function excerpt(text: string, length: number): string {
  const whole = text.trim();
  return whole.length <= length ? whole : `${whole.slice(0, length)}…`;
}

const marker = "<|cursor|>";

/** The code before the cursor, if a completion is asked for. */
function codeBeforeCursor(conversation: Conversation): string | undefined {
  const question = questionOf(conversation);
  return question.includes(marker) ? question.slice(0, question.indexOf(marker)).split("\nCode:\n").at(-1) : undefined;
}

/** Completes code like a model that knows only the name that was declared last; nothing in the middle of a word. */
function completeCode(before: string): string {
  const lines = before.split("\n");
  const line = lines.at(-1) ?? "";
  const names = lines
    .slice(0, -1)
    .join("\n")
    .matchAll(/\b(?:const|let|var)\s+(\w+)|^(\w+) = /gm);
  const [, declared, assigned] = [...names].at(-1) ?? [];
  const name = declared ?? assigned ?? "undefined";
  const end = /;\s*$/m.test(before) ? ";" : "";
  if (/(?:\/\/|#)\s*$/.test(line)) return `${/\s$/.test(line) ? "" : " "}Uses ${name}.`;
  if (/[{:]\s*$/.test(before)) return `${/^\s+$/.test(line) ? "" : "\n  "}return ${name}${end}`;
  if (line.trim() === "") return `console.log(${name})${end}`;
  if (line.endsWith("(")) return `${name})${end}`;
  return /\s$/.test(line) ? `${name}${end}` : "";
}

type Order = Omit<Call, "id">;

/**
 * The tools that the model calls. `call <tool> with {json}` in a question calls that tool, once per occurrence. After a
 * result, the model answers in text.
 */
function callsFor(conversation: Conversation): readonly Call[] {
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
