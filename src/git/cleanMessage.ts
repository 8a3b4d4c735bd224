import { beginningOf, isFilled } from "../text/lines.ts";
import { withoutMasks } from "../text/maskSecrets.ts";
import { plainlySeen } from "../text/unseen.ts";
import { layOutMessage } from "./messageLayout.ts";

/** Maximum length of a message, in characters. */
const longestMessage = 4_000;

/** Maximum length of an answer that is read, in characters. What comes later is no part of the message. */
export const longestAnswer = 10 * longestMessage;

const fence = /^\s*(`{3,}|~{3,})/;
const reasoning = /^\s*<(think(?:ing)?)>[^]*?(?:<\/\1>|$)/i;
const tag = /^\s*<(?=[\w-]*(?:commit|message|answer|output))([\w-]{1,50})>([^]*?)(?:<\/\1>[^]*)?$/i;

/** A line about the message that comes, such as “Based on the changes, here is a commit message:”. */
const lead =
  /^\s*(?:\*\*|#+\s*)?(?:sure|ok(?:ay)?|certainly|of course|here|based on|below|the following|(?:my )?(?:suggested|proposed)|i(?:['’]ve|['’]d| have| would| suggest)|this is|以下|这是|这里是|下面|好的|当然|根据|建议|为您|voici|hier|aqu[ií]|вот|これ|다음)(?=[^\p{L}]|\p{Script=Han}|\p{Script=Hiragana})/iu;
const aboutMessage =
  /commit|messag|mensa(?:je|gem)|nachricht|сообщен|subject|option|candidate|suggest|alternative|提交|消息|信息|选项|方案|コミット|커밋/i;
const ownLine = /^[^\n]{0,300}[:：](?:\*\*)?[ \t]*\n\s*/;
const sameLine = /^[^\n:：]{0,120}(?:commit message|提交(?:消息|信息|说明))[^\n:：]{0,40}[:：](?:\*\*)?[ \t]*(?=\S)/i;
const label =
  /^\s*(?:\*\*|#+\s*)?(?:(?:suggested |git )*(?:commit message|subject|title|message)\s*:|(?:提交(?:消息|信息|说明)|标题)\s*[:：])(?:\*\*)?\s*/i;
const bodyLabel = /\n(?:\*\*)?(?:(?:body|description)\s*:|(?:正文|描述|说明)\s*[:：])(?:\*\*)?[ \t]*\n?/i;

/** The heading of one of several messages to choose from. */
const option =
  /^[ \t]*(?:\*\*|#+[ \t]*)?(?:(?:option|candidate|alternative|variant)[ \t]*(?:\d|[A-C])\b|(?:选项|方案|候选)[ \t]*[\dA-C一二三])[ \t]*[.:：)]?(?:\*\*)?[.:：]?[ \t]*/im;
const between = /\n[ \t]*(?:or|alternatively|或者?)[,:：]?[ \t]*\n[^]*$/i;
const remark =
  /\n\n(?:let me know\b|feel free to\b|would you like me\b|i hope this\b|如果?您?(?:需要|想)|需要我)[^\n]*$/i;
const refusal =
  /^(?:i(?:['’]m| am) (?:very |so )?sorry\b|sorry, (?:but )?i\b|i (?:can(?:['’]t|not)|am unable)\b|i['’]m unable\b|(?:很|非常)?抱歉[，,]|对不起[，,])/i;

const quotes: readonly (readonly [string, string])[] = [
  ["**", "**"],
  ['"', '"'],
  ["“", "”"],
  ["「", "」"],
  ["«", "»"],
  ["`", "`"],
  ["'", "'"],
];

/**
 * The commit message in an answer, without what models add although they are told not to: introductions, fences, quotation
 * marks, more messages to choose from. Empty if the model refuses. With `isWhole`, also lays the message out; `isBody` says
 * that the user has typed the subject.
 */
export function cleanMessage(answer: string, isWhole: boolean, isBody = false): string {
  const said = answer.slice(0, longestAnswer).replace(reasoning, "").trimStart();
  const begun = plainlySeen(withoutMasks(said).replace(/\r\n?/g, "\n"));
  // Until its line ends, an introduction looks like a subject.
  if (!isWhole && !begun.includes("\n") && lead.test(begun) && aboutMessage.test(begun)) return "";
  const content = unwrapped(withoutIntroduction(unwrapped(begun)));
  const inner = isBody ? content : unlabeled(firstOption(content));
  const text = inner
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n")
    .replace(between, "")
    .trimEnd()
    .replace(remark, "")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
  const message = isBody ? unquoted(text) : plainSubject(text);
  if (!isWhole) return beginningOf(message, longestMessage);
  return refusal.test(message) ? "" : beginningOf(layOutMessage(message, isBody), longestMessage).trimEnd();
}

/** The text inside a fence, a tag, or a command. */
function unwrapped(text: string): string {
  const content = unfenced(text);
  const inner = tag.exec(content)?.[2] ?? content;
  if (!/^\s*(?:\$ )?git commit\s/.test(inner)) return inner;
  const [, ...options] = inner.split(/\s-a?m\s+(?=["'])/);
  const parts = options.flatMap((option) => /^(["'])([^]*?)\1(?=\s|$)/.exec(option)?.[2] ?? []);
  return parts.length > 0 ? parts.join("\n\n") : inner;
}

/** The text in the fence that `text` begins with. Without its end, as in an answer that still comes, all of it. */
function unfenced(text: string): string {
  const [first = "", ...lines] = text.trimStart().split("\n");
  const mark = fence.exec(first)?.[1];
  if (mark === undefined) return text;
  const end = lines.findIndex((line) => line.trimStart().startsWith(mark));
  return lines.slice(0, end < 0 ? undefined : end).join("\n");
}

function withoutIntroduction(text: string): string {
  const own = ownLine.exec(text)?.[0] ?? "";
  const rest = text.slice(own.length);
  if (own !== "" && (fence.test(rest) || (lead.test(own) && aboutMessage.test(own)))) return rest;
  return lead.test(text) ? text.replace(sameLine, "") : text;
}

/** The first of several messages to choose from: under headings, or in a numbered list without anything else. */
function firstOption(text: string): string {
  const heading = option.exec(text);
  if (heading && text.slice(0, heading.index).trim() === "") {
    const [first = "", ...others] = text.slice(heading.index + heading[0].length).split(option);
    if (others.length > 0) return unwrapped(first);
  }
  const lines = text.split("\n").filter(isFilled);
  const isList = lines.length > 1 && lines.every((line, index) => line.trim().startsWith(`${index + 1}.`));
  return isList ? (lines[0] ?? "").replace(/^\s*1\.\s*/, "") : text;
}

function unlabeled(text: string): string {
  return label.test(text) ? text.replace(label, "").replace(bodyLabel, "\n") : text;
}

/** The message with its first line, or all of it, without quotation marks and marks of headings and lists. */
function plainSubject(text: string): string {
  const whole = unquoted(text);
  const [subject = "", ...body] = whole.split("\n");
  return [unquoted(subject.replace(/^(?:#{1,6}|[-*•])\s+(?=\p{L})/u, "")), ...body].join("\n");
}

function unquoted(text: string): string {
  for (const [open, close] of quotes) {
    const inner = text.slice(open.length, -close.length);
    const isQuoted = text.length >= open.length + close.length && text.startsWith(open) && text.endsWith(close);
    if (isQuoted && !inner.includes(close)) return inner.trim();
  }
  return text;
}
