import { parseJson } from "../../../src/base/json.ts";
import {
  type Call,
  type Conversation,
  earlierQuestionsOf,
  type OfferedTool,
  openResultsOf,
  questionOf,
} from "./conversation.ts";
import { isRecord } from "./json.ts";

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
  const calls = [...question.matchAll(/\bcall [`#]?([\w-]+)`?( with (?=\{))?/gi)];
  return calls.flatMap((match) => {
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

/**
 * Answers like a model asked for a change: the code below a comment with the request. Questions that begin with "what",
 * "why" or "explain" get no change. "another place" and "three places" are taken literally. "forget" quotes lines that the
 * file does not have, also when it is asked once more. "write 25 lines" adds as many and one. "break it" adds a line with two commas, which "fix the new problems" removes. "add the import" adds one at the top of a file that begins with one.
 */
function answerInline({ question, language, code, fence, mark, path }: InlineQuestion): string {
  const block = (text: string, info: string): string => [fence + info, text, fence].join("\n");
  const change = changeCode({ language, code }, question).code;
  const info = `${language} ${mark}`;
  const asks = (pattern: RegExp): boolean => pattern.test(question);
  if (asks(/another place/i)) return `This goes elsewhere:\n\n${block("const elsewhere = true;", language)}`;
  if (asks(/^(what|why|explain)\b/i)) {
    return `You asked: *${question}*\n\nThese lines begin with \`${code.trim().split("\n")[0] ?? ""}\` and need no change.`;
  }
  if (asks(/\bthree places\b/i)) return block(inThreePlaces(code.split("\n")).join("\n"), info);
  const [, count] = /^write (\d+) lines$/i.exec(question) ?? [];
  if (count) return block(`${change}\n${"// more\n".repeat(Number(count))}// end`, info);
  if (asks(/\bbreak it\b/i)) return block(`${code}\n,,`, info);
  if (asks(/^fix the new problems\b/i)) return block(code.replaceAll("\n,,", ""), info);
  const search = (old: string, text: string): string =>
    `${path}\n${block(`<<<<<<< SEARCH\n${old}\n=======\n${text}\n>>>>>>> REPLACE`, language)}`;
  if (asks(/\bforget\b/i)) {
    return `Here is the change:\n\n${search(`${code} // forgotten`, change)}`;
  }
  if (mark === "") {
    return `Here is the change:\n\n${search(code, change)}\n\nThe new comment says what was asked.`;
  }
  if (asks(/\badd the import\b/i)) {
    return `Both:\n\n${block(change, info)}\n\n${search('import "a";', 'import "a";\nimport "b";')}`;
  }
  return `Here is the change:\n\n${block(change, info)}\n\nThe new comment says what was asked.`;
}

/** Changes the first line, removes the one in the middle, and adds one at the end. */
function inThreePlaces(lines: readonly string[]): readonly string[] {
  const kept = lines.toSpliced(Math.floor(lines.length / 2), 1).slice(1);
  return [`${lines[0] ?? ""} // changed`, ...kept, "// added"];
}

/** The user's question, which comes last, after the facts about the code. */
function afterFacts(rest: string): string {
  const facts = /^(?:Of these, the following is selected:|Problems reported (?:on these lines|in this file):)/;
  const parts = rest.trim().split("\n\n");
  return parts.slice(parts.findLastIndex((part) => facts.test(part)) + 1).join("\n\n");
}

/** Code and its language, as named in a fence. */
interface Code {
  readonly language: string;
  readonly code: string;
}

const lineComments: Readonly<Record<string, string>> = {
  python: "#",
  ruby: "#",
  yaml: "#",
  shellscript: "#",
  sql: "--",
};

/** The last fenced block of a text. */
function fencedCode(text: string): Code | undefined {
  const block = [...text.matchAll(/```([\w+#-]*)[^\n]*\n([\s\S]*?)\n?```/g)].at(-1);
  return block && { language: block[1] ?? "", code: block[2] ?? "" };
}

/** The same code below a comment with the requested change. */
function changeCode({ language, code }: Code, question: string): Code {
  const wish = firstLine(question.replace(/```[\s\S]*?```/g, ""));
  const indent = /^[ \t]*/.exec(code)?.[0] ?? "";
  return { language, code: `${indent}${lineComments[language] ?? "//"} ${wish}\n${code}` };
}

/** A small function that quotes the request. */
function sampleCode(question: string): Code {
  const wish = firstLine(question);
  return { language: "typescript", code: `export function answer(): string {\n  return ${JSON.stringify(wish)};\n}` };
}

function firstLine(text: string): string {
  return (text.trim().split("\n")[0] ?? "").slice(0, 100);
}
