import { isFilled } from "../../text/lines.ts";
import type { Fitter } from "./fit.ts";
import type { Place } from "./place.ts";
import {
  isApology,
  isExplanation,
  isExplanationOfCode,
  isHeading,
  isIntroduction,
  isRemark,
  isSentence,
  isTitle,
} from "./prose.ts";

/** The answer without the sentences before and after the code; `undefined` if there are only sentences. */
export function withoutSentences(answer: string, place: Place, fitter: Fitter): string | undefined {
  const lines = answer.split("\n");
  const isComment = lines.map(
    (line) => !isTitle(line) && place.syntax.lineComments.some((mark) => line.trimStart().startsWith(mark)),
  );
  const first = lines.findIndex(isFilled);
  if (first < 0) return undefined;
  const isOnly = lines.findLastIndex(isFilled) === first;
  const opening = lines[first] ?? "";
  const { until, isInElement } = fitter.scanner();
  const isOwnText = (isComment[first] === true || until !== "") && !aboutRequest.test(opening);
  if (isApology(opening) && (isOnly || isComment[first] !== true) && !isOwnText && !endsString(opening, fitter))
    return undefined;

  const inText = place.syntax.isProse || until !== "" || isInElement;
  const span = isOnly ? spanOf(opening.trim().slice(0, 2_000), inText) : undefined;
  if (span !== undefined) return span;
  let start = first;
  const isForeign =
    inText && /[\u3040-\u30ff\u4e00-\u9fff]/.test(place.before.slice(-2_000) + place.after.slice(0, 500));
  while (
    start < lines.length &&
    isComment[start] !== true &&
    isBefore(lines[start] ?? "", inText) &&
    !(isForeign && isOwnLanguage(lines[start] ?? ""))
  )
    start += 1;
  if (start === lines.length) return undefined;
  const hasIntroduction = start > first && lines.slice(first, start).some(isFilled);
  if (hasIntroduction && isApology(lines[start] ?? "")) return undefined;

  const isText = textLines(lines, start, fitter, place);
  const isDocument = place.syntax.isProse && !fitter.scanner().isInLongText;
  const isIndented = inText && /^\s+\S/.test(place.linePrefix);
  const isMarkup = place.syntax.isProse && place.syntax.layout !== "none";
  const end = lines.findIndex((line, at) => {
    if (at <= start) return false;
    if (!place.syntax.hasFences && lines[at - 1]?.trim() === "" && isHeading(line)) return true;
    if (isComment[at] === true || (isForeign && isOwnLanguage(line))) return false;
    if (isText[at] !== true) return isAfter(line) || (/^[-*_]{3,}$/.test(line) && isAfter(filledAfter(lines, at)));
    // The sentences of a comment that the answer itself starts are part of it.
    const isApart = lines[at - 1]?.trim() === "";
    if (!inText) return isApart && /^[\w*]/.test(line) && isExplanationOfCode(line);
    // At the start of a line, markup and YAML hardly have a sentence.
    if (isMarkup && /^\(?\p{Lu}/u.test(line) && !/[<>]|^[\w-]+:(?: |$)/.test(line) && isSentence(line))
      if (isApart || isRemark(line) || isExplanation(line) || /^you (?:may|might|can) /i.test(line)) return true;
    if (isApart && /^[-*_]{3,}$/.test(line))
      return isExplanation(filledAfter(lines, at)) || isRemark(filledAfter(lines, at));
    return isApart || ((isDocument || isIndented) && /^\S/.test(line))
      ? isExplanation(line) || (!place.syntax.hasFences && isRemark(line))
      : isExplanationOfCode(line);
  });
  const text = lines.slice(hasIntroduction ? start : 0, end < 0 ? undefined : end).join("\n");
  return end < 0 ? withoutLabel(text, inText) : text.trimEnd();
}

/** What an apology is about, even where the code is full of sentences. */
const aboutRequest =
  /complet|insert|suggest|cursor|context|snippet|provide|assist|you want|position|to add|information|language model|the file|needed|empty|help|i['’]m sorry|apolog|\bi (?:can|do|need)\b|\bcode\b|补全|代码|光标/i;

/** Whether a line in Chinese or Japanese says nothing about a completion, so that a text in that language may have it. */
function isOwnLanguage(line: string): boolean {
  return (
    /[\u3040-\u30ff\u4e00-\u9fff]/.test(line) && !/补全|光标|(?:以上|上述|上面|这段|该|此)(?:的)?代码|補完/.test(line)
  );
}

/** The code in backticks of an answer that is one sentence about it. */
function spanOf(line: string, inText: boolean): string | undefined {
  const [, told = "", code] = /^([^\n`]{3,200}?[:：]\**)\s*`([^`\n]+)`[.。]?$/.exec(line) ?? [];
  if (code !== undefined && isIntroduction(told)) return code;
  if (inText) return undefined;
  return /^(?:[A-Z][^\n`]{0,40} )?(?:completion|code|answer|following|insert|add|use|be)\b[^`\n]{0,60}`([^`\n]+)`(?: [a-z ]{2,40})?[.!]?$/i.exec(
    line,
  )?.[1];
}

/** The next line that has text. */
function filledAfter(lines: readonly string[], at: number): string {
  return lines.slice(at + 1, at + 4).find(isFilled) ?? "";
}

/** Whether the first line ends the string that the cursor is in. */
function endsString(line: string, fitter: Fitter): boolean {
  const { until } = fitter.scanner();
  return /^["'`]$/.test(until) && line.replace(/\w'\w/g, "").includes(until);
}

function isBefore(line: string, inText: boolean): boolean {
  return line.trim() === "" || isIntroduction(line) || (!inText && isSentence(line));
}

function isAfter(line: string): boolean {
  return isSentence(line) || isIntroduction(line) || isApology(line) || (isExplanation(line) && !/[;{}()=]/.test(line));
}

/** The code after a label on the same line. */
function withoutLabel(text: string, inText: boolean): string {
  const labels = inText
    ? /^\s*(?:\*\*)?(?:(?:Suggested )?[Cc]ompletion|Completed code|Inserted code|Insertion|Missing code|补全)[:：](?:\*\*)? *(?=\S)/
    : /^\s*(?:\*\*)?(?:(?:Suggested )?[Cc]ompletion|Answer|Output|Inserted|Insertion|Result|Assistant|Completed code|Inserted code|Missing code|Missing|补全|答案)[:：](?:\*\*)?(?: +|(?<=：))(?=\S)/;
  return text.replace(labels, "");
}

/**
 * Which lines can be sentences: those that start in a comment, a string or an element, and all of a document. Lines
 * before the start of the code say nothing about that.
 */
function textLines(lines: readonly string[], start: number, fitter: Fitter, place: Place): readonly boolean[] {
  const scanner = fitter.scanner();
  const stars = /^\s*\/?\*/;
  let hasStars = stars.test(place.linePrefix) || /\n\s*\/?\*[^\n]*\n\s*$/.test(place.before.slice(-1_000));
  return lines.map((line, at) => {
    if (at < start) return false;
    // In a comment whose lines start with stars, a line without one is not part of it.
    const isApart = hasStars && at > start && scanner.until === "*/" && /^[^\s*]/.test(line);
    const isText = !isApart && (place.syntax.isProse || scanner.until !== "" || scanner.isInElement);
    if (line.trim() !== "") hasStars = stars.test(at === start ? place.linePrefix + line : line);
    scanner.feed(at < lines.length - 1 ? `${line}\n` : line);
    return isText;
  });
}
