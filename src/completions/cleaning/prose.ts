import { hasText } from "../../text/lines.ts";
import { readBrackets } from "./brackets.ts";
import type { Place } from "./place.ts";

/** Longest line that is read as a sentence, in characters. */
const longestSentence = 600;

/** How models begin to talk about code, where text is completed as well. */
const talk =
  /^[*_#\s]{0,4}(?:(?:sure|certainly|okay|of course|absolutely|looking at|here(?:['’]s| is| are| you)|below (?:is|you)|(?:the|this) (?:completed?|completes|completion|missing|code|above|snippet|following|adds|will)|(?:i )?hope (?:this|that)|let me know|would you like|feel free|i(?:['’]ve|['’]ll| have| will) (?:complet|add|insert|fill|continu)\p{L}*|you (?:could|can) (?:continue|complete|adjust|finish)|note that|based on the|to (?:complete|continue|fill))(?!\p{L})|(?:explanation|notes?|usage)\**(?::|$)|(?:\p{L}+ ){0,4}(?:code|completion|continuation|answer|snippet|line|part)\**[:：])/iu;
/** How models say that they have no completion: as somebody who is asked, or in words that documents use as well. */
const refusal =
  /^(?:i['’]m (?:very |so )?(?:sorry|afraid|unable|not able)|i (?:can(?:no|['’])t|wo(?:n['’]t| not)|am unable|am sorry|apologi[sz]e|do(?:n['’]t| not) have|need more)|sorry\b|my apologies|as an? (?:ai|(?:large )?language)|(?:could|can|would) you|please (?:provide|share|clarify)|(?:there is )?nothing to (?:complete|insert|add)\b|(?:the|your) code (?:is|looks|seems|appears) (?:already )?complete\b|.{0,30}\b(?:need|without|not enough) (?:more )?context\b|no[_ ]completion\b|it is not clear what|抱歉|对不起|申し訳|<(?:empty|none)\s?\/?>)/iu;
const excuse =
  /^(?:unfortunately|no (?:code|changes?|suggestions?)\b|nothing to\b|not enough|there is nothing|(?:the|your) code (?:is|looks|seems|appears)|it (?:looks|seems)|it is not clear)/iu;

/** How far around the cursor other letters count, in characters. */
const nearby = 2_000;
/** Letters of other scripts than that of programming languages. */
const otherLetters = /[^\P{L}\p{Script=Latin}]/u;

/** Whether a line says, in words of any language, something that is no code. */
export function isProse(line: string): boolean {
  const text = line
    .slice(0, longestSentence)
    .trim()
    .replace(/`[^`]{1,80}`/g, "code")
    .replace(/^(?:#{2,6} |[-*+>] |[*_]{1,3}(?=\p{L}))/u, "")
    .replace(/\*\*/g, "");
  if (/[={}[\];<>|\\$@]|\w\(|\/\/|^["'#]/.test(text)) return false;
  const foreign = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu)?.length ?? 0;
  if (foreign >= 4 && foreign * 2 > text.replace(/\s/g, "").length) return true;
  const words = text.split(/\s+/);
  const plain = words.filter((word) => /^[("'«“¿¡]*\p{L}[\p{L}\p{N}'’-]*[)"'»”]*[,.:;!?…]*\)?$/u.test(word));
  if (!/^[("'«“¿¡]*(?:\p{Lu}|i['’ ])/u.test(text) || plain.length < words.length * 0.8) return false;
  if (words.length < 3) return false;
  return /[.:!?…]["'*”»)]{0,3}$/.test(text) || words.length > 8;
}

/** Whether a line introduces or explains a completion, also where text is completed. */
export function introduces(line: string, { before, after }: Pick<Place, "before" | "after">): boolean {
  const text = line.slice(0, longestSentence);
  // A sentence in letters that the text around does not have.
  const around = before.slice(-nearby) + after.slice(0, nearby);
  if (otherLetters.test(text) && !otherLetters.test(around) && isProse(text)) return true;
  return talk.test(text) && /[:：.!。！]\s*$|^#{2,6} |^\*\*/.test(line);
}

/** Whether sentences are completed at a place: in documents, strings, comments, and between other sentences. */
function isText({ language, open, linePrefix, lastLine, nextLine }: Place): boolean {
  return (
    ["none", "keys"].includes(language.levels) ||
    open.until !== "" ||
    [linePrefix, lastLine, nextLine].some(isProse) ||
    /[^=-]>$/.test(hasText(linePrefix) ? linePrefix : lastLine)
  );
}

/** Whether an answer says that there is no completion. In an envelope, a text may begin with the same words. */
export function isRefusal(answer: string, place: Place, isEnveloped: boolean): boolean {
  const [first = "", ...others] = answer.split("\n").filter(hasText);
  const text = first.trim().slice(0, longestSentence);
  const canBeText = isText(place);
  if (others.length === 0 && !canBeText && isProse(text) && /\s.*[:：]\**$/.test(text)) return true;
  const isSaid = refusal.test(text) || (excuse.test(text) && !(isEnveloped && canBeText));
  return isSaid && (isProse(text) || /^[\p{L}_<>/ ]{2,40}$/u.test(text)) && (others.length === 0 || !isEnveloped);
}

/** An answer without an envelope, without the sentences around the code; `undefined` if there is nothing else. */
export function withoutSentences(answer: string, place: Place): string | undefined {
  const { language, open, lineSuffix } = place;
  const lines = answer.split("\n");
  const isCode = !isText(place);
  const isComment = (line: string): boolean => language.lineComments.some((mark) => line.trimStart().startsWith(mark));
  // What is inserted within a line has no other line. A sentence of its own paragraph, at the margin, is no part of markup.
  const isSaid = (line: string, at: number): boolean =>
    introduces(line, place) ||
    (isProse(line) && (hasText(lineSuffix) || isCode || (language.levels !== "none" && isParagraph(lines, at))));
  const start = lines.findIndex((line, at) => hasText(line) && (isComment(line) || !isSaid(line, at)));
  const isDocument = (line: string): boolean =>
    !introduces(line, place) || /^\W*(?:the|this)\b(?!.*[:：]\W*$)/i.test(line);
  if (start < 0) return isText(place) && lines.every(isDocument) ? answer : undefined;
  const code = lines.slice(start);
  const { inText } = readBrackets(code.join("\n"), language, open.until);
  const last = code.findLastIndex(hasText);
  const end = code.findIndex(
    (line, at) =>
      at > 0 &&
      hasText(line) &&
      (!isComment(line) || /^#{2,6} /.test(line)) &&
      (introduces(line, place) || !inText.has(at) || (at === last && isParagraph(code, at))) &&
      isSaid(line, start + at),
  );
  const isSpoken = lines.slice(0, start).some(hasText);
  const rest = isSpoken ? code : lines;
  return end < 0
    ? rest.join("\n")
    : rest
        .slice(0, end + rest.length - code.length)
        .join("\n")
        .trimEnd();
}

/** Whether a line is a paragraph at the margin: it comes first or after a blank line, and a blank line or nothing follows. */
function isParagraph(lines: readonly string[], at: number): boolean {
  const isApart = (line: string | undefined): boolean => line === undefined || !hasText(line);
  const isAlone = lines.every((line, index) => index === at || !hasText(line));
  return /^\S/.test(lines[at] ?? "") && isApart(lines[at - 1]) && isApart(lines[at + 1]) && !isAlone;
}

/** The answer without the lines that stand for code which was left out. */
export function withoutElisions(answer: string): string {
  if (!/\.\.\.|…/.test(answer)) return answer;
  const isElision = (line: string): boolean =>
    /^\s*(?:\/\/|#|--|\/\*|<!--|;|%)\s*(?:\.\.\.|…)?\s*(?:\(?(?:the )?(?:existing|rest|remaining|other|previous|unchanged|same|more)\b.{0,60})?(?:\.\.\.|…)?\)?\s*(?:\*\/|-->)?\s*$/i.test(
      line.slice(0, 160),
    ) && /\.\.\.|…/.test(line);
  const lines = answer.split("\n");
  const first = lines.findIndex(hasText);
  const start = isElision(lines[first] ?? "") ? first + 1 : 0;
  const end = lines.findIndex((line, at) => at > start && isElision(line));
  return end < 0 && start === 0 ? answer : lines.slice(start, end < 0 ? undefined : end).join("\n");
}
