import { parseJson } from "../../../src/base/json.ts";
import { type Call, type Conversation, type OfferedTool, openResultsOf, questionOf } from "./conversation.ts";
import { isRecord } from "./json.ts";

/** A model's reply: text, or calls of offered tools. */
export interface Reply {
  readonly text: string;
  readonly calls: readonly Call[];
}

/** The reply to a question for which a test has set none: a pure function of the conversation. */
export function reply(conversation: Conversation): Reply {
  const calls = callsFor(conversation);
  if (calls.length > 0) return { text: "", calls };
  const before = codeBeforeCursor(conversation);
  if (before !== undefined) return { text: completeCode(before), calls };
  return { text: `${answer(conversation)}\n\n*Answered by ${conversation.model}.*`, calls };
}

function answer(conversation: Conversation): string {
  const results = openResultsOf(conversation).map(({ name, text }) => `- \`${name}\` says: ${excerpt(text, 400)}`);
  if (results.length > 0) return `The tools brought this:\n\n${results.join("\n")}`;
  const inline = inlineQuestionOf(conversation);
  if (inline) return answerInline(inline);
  const question = questionOf(conversation);
  const [, last] = /\bcount to (\d+)/i.exec(question) ?? [];
  return last === undefined ? explain(question) : count(Number(last));
}

/** The numbers up to this one, a line each. */
export function count(last: number): string {
  return Array.from({ length: last }, (_, index) => `${index + 1}.`).join("\n");
}

function explain(question: string): string {
  return `You asked:\n\n${excerpt(question, 600).replace(/^/gm, "> ")}`;
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

/** The calls that a question asks for, as in `call <tool> with {json}`, or one that is required. Results get an answer in text. */
function callsFor(conversation: Conversation): readonly Call[] {
  const { tools, turns, mustCall } = conversation;
  if (tools.length === 0 || openResultsOf(conversation).length > 0) return [];
  const question = questionOf(conversation);
  const calls = [...question.matchAll(/\bcall [`#]?([\w-]+)`?( with (?=\{))?/gi)]
    .filter(([, name]) => tools.some((tool) => tool.name === name))
    .map((match) => {
      const [all, name = "", how = ""] = match;
      return { name, input: how === "" ? "{}" : leadingJson(question.slice(match.index + all.length)) };
    });
  const [tool] = tools;
  if (calls.length === 0 && mustCall && tool) calls.push({ name: tool.name, input: sampleInput(tool, question) });
  return calls.map((call, index) => ({ id: `call_${turns.length}_${index}`, ...call }));
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

/** A question about lines of a file, as sent by inline chat. */
interface InlineQuestion {
  readonly question: string;
  readonly language: string;
  /** The code in question. */
  readonly code: string;
  /** The requested fence of the block. */
  readonly fence: string;
  /** The mark of the block that replaces the code; empty where only SEARCH/REPLACE blocks are asked for. */
  readonly mark: string;
  /** The path that such blocks are to name. */
  readonly path: string;
}

/** Reads the question from a conversation whose instructions ask for a marked block, or for SEARCH/REPLACE blocks. */
export function inlineQuestionOf({ turns }: Conversation): InlineQuestion | undefined {
  const all = turns.map(({ text }) => text).join("\n\n");
  const [, path = "", fence = "", language = ""] = /^(.+)\n(`{3,})([\w+#-]*)\n<<<<<<< SEARCH\n/m.exec(all) ?? [];
  const mark = / (replace)$/m.exec(all)?.[1] ?? "";
  const users = turns.filter(({ role }) => role === "user").map(({ text }) => text);
  const isRepair = users.at(-1)?.startsWith("Nothing of your last answer was applied") === true;
  const [, , code = "", rest = ""] =
    /^(?:The question is about|Nothing is selected\.) .*\n\n(`{3,})[^\n]*\n([\s\S]*?)\n?^\1$([\s\S]*)/m.exec(
      users.at(isRepair ? -2 : -1) ?? "",
    ) ?? [];
  if (fence === "" || rest === "") return undefined;
  return { question: afterFacts(rest), language, code, fence, mark, path };
}

/** Proposes a comment with the question above the code. Questions that begin with "what", "why" or "explain" get no change. */
function answerInline({ question, language, code, fence, mark, path }: InlineQuestion): string {
  if (/^(what|why|explain)\b/i.test(question)) {
    return `You asked: *${question}*\n\nThese lines begin with \`${code.trim().split("\n")[0] ?? ""}\` and need no change.`;
  }
  const indent = /^[ \t]*/.exec(code)?.[0] ?? "";
  const change = `${indent}${language === "python" ? "#" : "//"} ${firstLine(question)}\n${code}`;
  const block =
    mark === ""
      ? [path, fence + language, `<<<<<<< SEARCH\n${code}\n=======\n${change}\n>>>>>>> REPLACE`, fence]
      : [`${fence}${language} ${mark}`, change, fence];
  return `Here is the change:\n\n${block.join("\n")}\n\nThe new comment says what was asked.`;
}

/** The user's question, which comes last, after the facts about the code. */
function afterFacts(rest: string): string {
  const facts = /^(?:Of these, the following is selected:|Problems reported (?:on these lines|in this file):)/;
  const parts = rest.trim().split("\n\n");
  return parts.slice(parts.findLastIndex((part) => facts.test(part)) + 1).join("\n\n");
}

function firstLine(text: string): string {
  return (text.trim().split("\n")[0] ?? "").slice(0, 100);
}
