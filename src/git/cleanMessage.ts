/** Maximum length of a message, and of its subject, in characters. */
const longestMessage = 4_000;
const longestSubject = 120;

const fence = /^\s*(`{3,}|~{3,})[^\n]*\n?([^]*?)(?:\n\s*\1[^]*)?$/;
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
  const plain = answer.replace(/\r\n?/g, "\n").replace(/[^\P{Cc}\n\t]/gu, "");
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

function unfenced(text: string): string {
  const found = fence.exec(text);
  return found ? (found[2] ?? "") : text;
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
