/** Maximum length of a message, and of its subject, in characters. */
const longestMessage = 4_000;
const longestSubject = 120;

/** Maximum length of an answer that is read, in characters. What comes later is no part of the message. */
export const longestAnswer = 4 * longestMessage;

const fence = /^[ \t]*(`{3,}|~{3,})/;
const label =
  /^\s*(?:\*\*|#+\s*)?(?:(?:sure|okay|ok|certainly)[,!.]?\s+)?(?:here(?:'s| is| are)[^\n]{0,80}?:\s*\n|(?:suggested |git )*(?:commit message|subject|message)\s*:(?:\*\*)?[ \t]*\n?|提交(?:消息|信息)\s*[:：]\s*\n?)\s*/i;
const quotes: readonly (readonly [string, string])[] = [
  ['"', '"'],
  ["“", "”"],
  ["`", "`"],
  ["'", "'"],
];

/**
 * The commit message in an answer, without the fence, quotation marks or introduction that models add although they are
 * told not to. With `isWhole`, also breaks a subject that is too long; nothing is lost, the rest begins the body.
 */
export function cleanMessage(answer: string, isWhole: boolean): string {
  const plain = answer
    .slice(0, longestAnswer)
    .replace(/\r\n?/g, "\n")
    .replace(/[^\P{Cc}\n\t]/gu, "");
  const inner = unquoted(unfenced(unfenced(plain).replace(label, "")).trim());
  const lines = inner.split("\n").map((line) => line.trimEnd());
  const text = lines
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
  return isWhole ? withShortSubject(text).slice(0, longestMessage).trimEnd() : text.slice(0, longestMessage);
}

/** The message after the beginning that the user typed, which the model may repeat. */
export function joinTyped(typed: string, message: string): string {
  if (typed === "") return message;
  const begun = typed.trim();
  const rest = message.startsWith(begun) ? message.slice(begun.length).replace(/^[ \t]+/, "") : message;
  if (rest === "") return typed;
  return /\s$/.test(typed) || /^[\s,.;:!?)，。；：！？）]/.test(rest) ? `${typed}${rest}` : `${typed} ${rest}`;
}

/** The text in the fence that `text` begins with. Without its end, as in an answer that still comes, all of it. */
function unfenced(text: string): string {
  const [first = "", ...lines] = text.trimStart().split("\n");
  const mark = fence.exec(first)?.[1];
  if (mark === undefined) return text;
  const end = lines.findIndex((line) => line.trimStart().startsWith(mark));
  return lines.slice(0, end < 0 ? undefined : end).join("\n");
}

function unquoted(text: string): string {
  for (const [open, close] of quotes) {
    const inner = text.slice(1, -1);
    if (text.length > 2 && text.startsWith(open) && text.endsWith(close) && !inner.includes(close)) return inner.trim();
  }
  return text;
}

function withShortSubject(text: string): string {
  const [subject = "", ...rest] = text.split("\n");
  if (subject.length <= longestSubject) {
    // Git reads the lines up to the first empty one as the subject.
    return rest.length > 0 && rest[0] !== "" ? [subject, "", ...rest].join("\n") : text;
  }
  const space = subject.lastIndexOf(" ", longestSubject);
  const end = space > longestSubject / 2 ? space : longestSubject;
  const body = [subject.slice(end).trim(), ...rest].join("\n");
  return `${subject.slice(0, end).trimEnd()}\n\n${body}`;
}
