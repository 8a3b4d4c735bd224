import { hasText } from "../../text/lines.ts";
import type { ParsedContext } from "./context.ts";

/** Longest line that is read as a sentence, in characters. */
const longestSentence = 600;

/** Words of a line that introduces a completion, in code and in text. */
const introduction =
  /^(?:\p{L}+[,.!] )?here\b|\b(?:complet\p{L}+|continu\p{L}+|finish|insert\p{L}*|missing (?:part|piece)|next|code|snippet|cursor|gap)\b|补全|代码|缺失/iu;
/** The start of what models add after a completion. */
const remark =
  /^[*_\s]{0,4}(?:#{2,6} )?(?:let me know|(?:i )?hope (?:this|that)|feel free|would you like|note that|explanation|this (?:completes|adds|will)|the (?:code|completion|snippet) (?:above|adds)|i(?:['’]ve|['’]ll| have) (?:added|completed?|inserted))\b/i;
/** How models decline, in code and in text. */
const refusal =
  /^[([]?(?:i(?:['’]m| am)? (?:(?:very |so )?sorry|afraid|unable|cannot|can['’]t|won['’]t|don['’]t have|need more)|sorry\b|my apologies|as an? (?:ai|(?:large )?language)|(?:could|can|would) you|please (?:provide|share|clarify)|(?:there is )?nothing to (?:complete|insert|add)\b|(?:the|your) code (?:is|looks|seems|appears) (?:already )?complete|not enough context|unfortunately.*context|no[_ ]completion\b|it is not clear what|抱歉|对不起|申し訳)/i;

/** An apology that does not decline anything, as in messages for users. */
const apology =
  /^(?:i(?:['’]m| am) )?(?:(?:very|so) )?sorry\b(?!.*\b(?:can(?:not|['’]t)|unable|context|help|assist|information)\b)/i;

/** How far around the cursor to look for letters of a script, in characters. */
const nearby = 2_000;
/** Letters of scripts other than that of programming languages. */
const otherScripts = "Arabic Cyrillic Devanagari Greek Han Hangul Hebrew Hiragana Thai"
  .split(" ")
  .map((name) => new RegExp(`\\p{Script=${name}}`, "u"));

/** Whether a line is a sentence in any language rather than code. */
export function isProse(line: string): boolean {
  const text = line
    .slice(0, longestSentence)
    .trim()
    .replace(/`[^`]{1,80}`/g, "code")
    .replace(/^(?:[-*+>] |[*_]{1,3}(?=\p{L}))/u, "")
    .replace(/\*\*/g, "");
  if (/[={}[\];<>|\\$@]|\w\(|\/\/|^["'#]/.test(text)) return false;
  const foreign = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu)?.length ?? 0;
  if (foreign >= 4 && foreign * 2 > text.replace(/\s/g, "").length) return true;
  // In some languages, such as SQL, statements begin with a word in uppercase.
  if (/^\p{Lu}{2}/u.test(text) && !/[:：]$/.test(text)) return false;
  const words = text.split(/\s+/);
  const plain = words.filter((word) => /^[("'«“¿¡]*(?:\p{L}[\p{L}\p{N}'’-]*|\p{N}+)[)"'»”]*[,.:;!?…]*\)?$/u.test(word));
  if (!/^[("'«“¿¡]*(?:\p{Lu}|i['’ ])/u.test(text) || plain.length < words.length * 0.8) return false;
  if (words.length < 3 && !(text.endsWith(":") && (words.length > 1 || introduction.test(text)))) return false;
  // Names in a list begin with uppercase letters.
  const isLong = words.length > 8 && words.filter((word) => /^\p{Lu}/u.test(word)).length * 2 < words.length;
  return /[.:!?…]["'*”»)]{0,3}$/.test(text) || isLong;
}

/** Whether a line is a sentence, even in a language whose lines of code may end with a colon. */
function isSentence(line: string, { language }: ParsedContext): boolean {
  return isProse(line) && (language.blocks !== "colons" || !/:\s*$/.test(line) || introduction.test(line));
}

/** Whether a line introduces a completion, even a completion of text. */
export function introduces(line: string, { before, after }: ParsedContext): boolean {
  const text = line.slice(0, longestSentence);
  if (!isProse(text)) return false;
  // A sentence in a script that the text around the cursor does not use.
  const around = before.slice(-nearby) + after.slice(0, nearby);
  return (
    otherScripts.some((letter) => letter.test(text) && !letter.test(around)) ||
    (introduction.test(text) && /[:：]\W*$/.test(text))
  );
}

/** Whether the completion may be text rather than code: in documents, strings and comments, and between sentences. */
function isText({ language, open, linePrefix, lastLine, nextLine }: ParsedContext): boolean {
  return (
    ["none", "keys", "tags"].includes(language.blocks) ||
    open.terminator !== "" ||
    [linePrefix, lastLine, nextLine].some(isProse) ||
    /[^=-]>$/.test(hasText(linePrefix) ? linePrefix : lastLine)
  );
}

/** Whether an answer declines to complete: a sentence instead of code or, where text is completed, one of a known kind. */
export function isRefusal(answer: string, context: ParsedContext): boolean {
  const lines = answer.split("\n").filter(hasText);
  const [first = "", ...others] = lines;
  if (!isText(context)) return lines.every((line) => isSentence(line, context) || refusal.test(line.trim()));
  const text = first.trim().slice(0, longestSentence);
  return others.length === 0 && refusal.test(text) && !apology.test(text);
}

/** An answer without an envelope, without the sentences around the completion; `undefined` if there is nothing else. */
export function withoutSentences(answer: string, context: ParsedContext): string | undefined {
  const canBeText = isText(context);
  const isAdded = (line: string, isProseAdded: boolean): boolean =>
    introduces(line, context) || (isProseAdded && isSentence(line, context));
  const lines = answer.split("\n");
  const start = lines.findIndex((line) => hasText(line) && !isAdded(line, !canBeText));
  if (start < 0) return undefined;
  // An unindented sentence after a blank line is not part of markup, a string, or a comment.
  const end = lines.findIndex(
    (line, at) =>
      at > start &&
      /^\S/.test(line) &&
      !hasText(lines[at - 1] ?? "") &&
      (remark.test(line) || isAdded(line, context.language.blocks !== "none")),
  );
  const rest = lines.slice(lines.slice(0, start).some(hasText) ? start : 0, end < 0 ? undefined : end).join("\n");
  return end < 0 ? rest : rest.trimEnd();
}
