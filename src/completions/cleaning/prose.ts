import { isFilled } from "../../text/lines.ts";
import { readBrackets } from "./brackets.ts";
import type { Place } from "./place.ts";

/** Longest line that is read as a sentence, in characters. */
const longestSentence = 600;

/** How models begin to talk about code, where text is completed as well. */
const talk =
  /^[*_#\s]{0,4}(?:(?:sure|certainly|okay|of course|absolutely|looking at|here(?:['’]s| is| are| you)|below (?:is|you)|(?:the|this) (?:completed?|completes|completion|missing|code|above|snippet|following|adds|will)|(?:i hope|hope) this|let me know|would you like|feel free|i(?:['’]ve|['’]ll| have| will) (?:complet|add|insert|fill|continu)\p{L}*|you (?:could|can) (?:continue|complete|adjust)|note that i|based on the|to (?:complete|continue|fill))(?!\p{L})|(?:explanation|notes?|usage)\**(?::|$)|(?:\p{L}+ ){0,4}(?:code|completion|continuation|answer|snippet|line|part)\**[:：])/iu;
const apology =
  /^(?:i['’]m (?:very |so )?(?:sorry|afraid|unable|not able)|i (?:can(?:no|['’])t|wo(?:n['’]t| not)|am unable|am sorry|apologi[sz]e|do(?:n['’]t| not) have|need more)|sorry\b|my apologies|lo siento|desculpe|mi dispiace|je suis désolé|entschuldigung|es tut mir leid|as an? (?:ai|(?:large )?language)|unfortunately|no (?:completion|code|changes?|suggestions?)\b|nothing to\b|not enough|there is nothing|(?:the|your) code (?:is|looks|seems|appears)|it (?:looks|seems)|it is not clear|(?:could|can|would) you|please (?:provide|share|clarify)|no_completion|<(?:empty|none)\s?\/?>)/iu;

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

/** The answer without the sentences around the code; `undefined` if there is nothing else. */
export function withoutSentences(answer: string, place: Place): string | undefined {
  const { language, open, linePrefix, lineSuffix, lastLine } = place;
  const lines = answer.split("\n");
  const filled = lines.filter(isFilled);
  if (isExcuse(filled, place)) return undefined;
  const isCode = ["brackets", "words", "colons"].includes(language.levels);
  const isText = open.until !== "" || language.levels === "keys" || isProse(linePrefix);
  const startsInText = isText || /[^=-]>$/.test(isFilled(linePrefix) ? linePrefix : lastLine);
  const talks = (line: string): boolean => introduces(line, place);
  // What stands within a line has no other line.
  const leads = (line: string): boolean =>
    talks(line) || (isProse(line) && (isFilled(lineSuffix) || (isCode && !startsInText)));
  const isComment = (line: string): boolean => language.lineComments.some((mark) => line.trimStart().startsWith(mark));
  let start = lines.findIndex((line) => isFilled(line) && (isComment(line) || !leads(line)));
  if (start < 0)
    return startsInText && !filled.some((line) => talks(line) && !/^\W*(?:the|this)\b/i.test(line))
      ? answer
      : undefined;
  const said = lines.slice(0, start).findLastIndex(isFilled);
  if (said < 0) start = 0;
  const code = lines.slice(start);
  const { inText } = readBrackets(code.join("\n"), language, open.until);
  const first = code.findIndex(isFilled);
  const end = code.findIndex(
    (line, at) =>
      at > first &&
      isFilled(line) &&
      (!isComment(line) || /^#{2,6} /.test(line)) &&
      (talks(line) || ((isFilled(lineSuffix) || (isCode && !inText.has(at))) && isProse(line))),
  );
  return end < 0 ? code.join("\n") : code.slice(0, end).join("\n").trimEnd();
}

/** Whether an answer says that there is none. */
function isExcuse([first = "", ...others]: readonly string[], place: Place): boolean {
  const text = first.trim().slice(0, longestSentence);
  const isSentence = (place.open.until === "" && place.language.levels !== "none") || introduces(text, place);
  if (others.length === 0 && isSentence && isProse(text) && /\s.*[:：]\**$/.test(text)) return true;
  return apology.test(text) && (isProse(text) || /^[\p{L}_<>/ ]{2,40}$/u.test(text));
}

/** The answer without the lines that stand for code which was left out. */
export function withoutElisions(answer: string): string {
  if (!/\.\.\.|…/.test(answer)) return answer;
  const isElision = (line: string): boolean =>
    /^\s*(?:\/\/|#|--|\/\*|<!--|;|%)\s*(?:\.\.\.|…)?\s*(?:\(?(?:the )?(?:existing|rest|remaining|other|previous|unchanged|same|more)\b.{0,60})?(?:\.\.\.|…)?\)?\s*(?:\*\/|-->)?\s*$/i.test(
      line.slice(0, 160),
    ) && /\.\.\.|…/.test(line);
  const lines = answer.split("\n");
  const first = lines.findIndex(isFilled);
  const start = isElision(lines[first] ?? "") ? first + 1 : 0;
  const end = lines.findIndex((line, at) => at > start && isElision(line));
  return end < 0 && start === 0 ? answer : lines.slice(start, end < 0 ? undefined : end).join("\n");
}
