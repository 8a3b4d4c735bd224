import { beginningOf, withLineFeeds } from "../text/lines.ts";
import { withoutMasks } from "../text/maskSecrets.ts";
import { plainlySeen } from "../text/unseen.ts";

/** Maximum length of a message, in characters. */
const longestMessage = 4_000;

/** Maximum length of an answer that is read, in characters. What comes later is no part of the message. */
export const longestAnswer = 10 * longestMessage;

const reasoning = /^\s*<(think(?:ing)?)>[^]*?(?:<\/\1>|$)/i;
const tag = /^\s*<(?=[\w-]*(?:commit|message|answer|output))([\w-]{1,50})>([^]*?)(?:<\/\1>[^]*)?$/i;
const fence = /^\s*(`{3,}|~{3,})[^\n]*(?:\n|$)/;

/** How an introduction begins, such as “Based on the changes, here is a commit message”, in the product's languages. */
const lead =
  /^\s*(?:\*\*|#+\s*)?(?:sure|ok(?:ay)?|certainly|of course|here|based on|below|i(?:['’]ve|['’]d| have| would)|this is|以下|这是|好的|根据|建议)[^\n:：]{0,200}?(?:commit|message|提交|消息|信息)/iu;
const introduction = new RegExp(String.raw`${lead.source}[^\n:：]{0,100}[:：](?:\*\*)?\s*`, "iu");
const lineBeforeFence = /^[^\n]{0,300}[:：](?:\*\*)?[ \t]*\n\s*(?=`{3}|~{3})/;
const label =
  /^\s*(?:\*\*|#+\s*)?(?:(?:suggested |git )*(?:commit message|subject|title|message)|提交(?:消息|信息|说明)|标题)\s*[:：](?:\*\*)?\s*/i;

const refusal =
  /^(?:i(?:['’]m| am) (?:very |so )?sorry\b|sorry, (?:but )?i\b|i (?:can(?:['’]t|not)|am unable)\b|i['’]m unable\b|(?:很|非常)?抱歉[，,]|对不起[，,])/i;

const quotes = ["** **", '" "', "“ ”", "「 」", "` `", "' '"].map((pair) => pair.split(" "));

/**
 * The commit message in an answer, without what models add although they are told not to: reasoning, introductions,
 * fences, labels, and quotation marks. Empty if the model refuses. With `isWhole`, also lays the message out; `isBody` says
 * that the user has typed the subject.
 */
export function cleanMessage(answer: string, isWhole: boolean, isBody = false): string {
  const said = answer.slice(0, longestAnswer).replace(reasoning, "").trimStart();
  const begun = plainlySeen(withLineFeeds(withoutMasks(said)));
  // Until its line ends, an introduction looks like a subject.
  if (!isWhole && !/[:：\n]/.test(begun) && lead.test(begun)) return "";
  const content = unwrapped(unwrapped(begun).replace(lineBeforeFence, "").replace(introduction, ""));
  const text = (isBody ? content : content.replace(label, ""))
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
  const message = isBody ? unquoted(text) : plainSubject(text);
  if (!isWhole) return beginningOf(message, longestMessage);
  return refusal.test(message) ? "" : beginningOf(layOutMessage(message, isBody), longestMessage).trimEnd();
}

/** The text inside the fence or tag that it begins with. Without its end, as in an answer that still comes, all of it. */
function unwrapped(text: string): string {
  const [opening = "", mark] = fence.exec(text) ?? [];
  if (mark === undefined) return tag.exec(text)?.[2] ?? text;
  const lines = text.slice(opening.length).split("\n");
  const end = lines.findIndex((line) => line.trimStart().startsWith(mark));
  return lines.slice(0, end < 0 ? undefined : end).join("\n");
}

/** The message with its first line, or all of it, without quotation marks and marks of headings and lists. */
function plainSubject(text: string): string {
  const [subject = "", ...body] = unquoted(text).split("\n");
  return [unquoted(subject.replace(/^(?:#{1,6}|[-*•])\s+(?=\p{L})/u, "")), ...body].join("\n");
}

function unquoted(text: string): string {
  for (const [open = "", close = ""] of quotes) {
    const inner = text.slice(open.length, -close.length);
    const isQuoted = text.length >= open.length + close.length && text.startsWith(open) && text.endsWith(close);
    if (isQuoted && !inner.includes(close)) return inner.trim();
  }
  return text;
}

/** Maximum length of a subject, and of a line of the body, in characters. The model is told 72 for the subject. */
const longestSubject = 120;
const longestLine = 72;

/** Lines whose form says something: code, tables, quotations, and trailers such as `Signed-off-by`. */
const fixedLine = /^(?: {4}|\t|\||>|[A-Z][A-Za-z]*(?:-[A-Za-z]+)+: )/;

const listMark = /^\s*(?:[-*+•]|\d{1,2}[.)])\s+/;

/**
 * The message as Git expects it: a subject, an empty line, and a body of lines that fit a terminal. Nothing is lost: what a
 * subject has no room for begins the body. With `isBody`, there is no subject, because the user has typed it.
 */
export function layOutMessage(text: string, isBody: boolean): string {
  if (isBody) return wrapped(text.split("\n")).join("\n");
  const [first = "", ...lines] = text.split("\n");
  const end = endOfSubject(first);
  const subject = first.slice(0, end).trimEnd();
  const rest = first.slice(end).trim();
  const body = wrapped(rest === "" ? lines : [rest, ...lines]);
  if (body.length === 0) return subject;
  // Git reads the lines up to the first empty one as the subject.
  return [subject, ...(body[0] === "" ? [] : [""]), ...body].join("\n");
}

/** The message after the beginning that the user typed, which the model may repeat. */
export function joinTyped(typed: string, message: string): string {
  if (typed === "") return message;
  const begun = typed.trim();
  const rest = message.startsWith(begun) ? message.slice(begun.length).replace(/^[ \t]+/, "") : message;
  if (rest === "") return typed;
  return /\s$/.test(typed) || /^[\s,.;:!?)，。；：！？）]/.test(rest) ? `${typed}${rest}` : `${typed} ${rest}`;
}

function endOfSubject(line: string): number {
  if (line.length <= longestSubject) return line.length;
  const space = line.lastIndexOf(" ", longestSubject);
  return space > longestSubject / 2 ? space : beginningOf(line, longestSubject).length;
}

function wrapped(lines: readonly string[]): readonly string[] {
  let isCode = false;
  return lines.flatMap((line) => {
    const isFence = /^\s*(?:`{3,}|~{3,})/.test(line);
    if (isFence) isCode = !isCode;
    return isCode || isFence || fixedLine.test(line) ? [line] : wrapLine(line);
  });
}

/** Breaks a line at spaces. What has none, such as a link or Chinese text, stays whole. */
function wrapLine(line: string): readonly string[] {
  if (line.length <= longestLine) return [line];
  const mark = listMark.exec(line)?.[0] ?? "";
  const room = Math.max(2, longestLine - mark.length);
  const part = new RegExp(`[^ ](?:.{0,${room - 2}}[^ ])?(?= |$)|[^ ]+`, "gs");
  const parts = line.slice(mark.length).replace(/ +/g, " ").match(part) ?? [];
  return parts.map((words, index) => `${index === 0 ? mark : " ".repeat(mark.length)}${words}`);
}
