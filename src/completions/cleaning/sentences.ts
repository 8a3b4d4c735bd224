import type { Fitter } from "./fit.ts";
import type { Place } from "./place.ts";
import { isApology, isExplanation, isIntroduction, isSentence } from "./prose.ts";

/** The answer without the sentences before and after the code; `undefined` if there are only sentences. */
export function withoutSentences(answer: string, place: Place, fitter: Fitter): string | undefined {
  const lines = answer.split("\n");
  const isText = textLines(lines, fitter, place);
  const isComment = lines.map((line) => place.syntax.lineComments.some((mark) => line.trimStart().startsWith(mark)));
  const first = lines.findIndex((line) => line.trim() !== "");
  if (first < 0) return undefined;
  const isOnly = lines.findLastIndex((line) => line.trim() !== "") === first;
  const opening = lines[first] ?? "";
  if (isApology(opening) && (isOnly || isComment[first] !== true) && !endsString(opening, fitter)) return undefined;

  const inText = isText[0] === true;
  let start = first;
  while (start < lines.length && isComment[start] !== true && isBefore(lines[start] ?? "", inText)) start += 1;
  if (start === lines.length) return inText ? answer : undefined;
  const hasIntroduction = start > first && lines.slice(first, start).some((line) => line.trim() !== "");
  if (hasIntroduction && isApology(lines[start] ?? "")) return undefined;

  const end = lines.findIndex((line, at) => {
    if (at <= start || isComment[at] === true) return false;
    return isText[at] === true ? lines[at - 1]?.trim() === "" && isExplanation(line) : isAfter(line);
  });
  const text = lines.slice(hasIntroduction ? start : 0, end < 0 ? undefined : end).join("\n");
  return end < 0 ? withoutLabel(text, inText) : text.trimEnd();
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
  if (inText) return text;
  return text.replace(/^\s*(?:Completion|Answer|Completed code|Inserted code|Missing code): +(?=\S)/, "");
}

/** Which lines can be sentences: those that start in a comment, a string or an element, and all of a document. */
function textLines(lines: readonly string[], fitter: Fitter, place: Place): readonly boolean[] {
  const scanner = fitter.scanner();
  return lines.map((line, at) => {
    const isText = place.syntax.isProse || scanner.until !== "" || scanner.isInElement;
    scanner.feed(at < lines.length - 1 ? `${line}\n` : line);
    return isText;
  });
}
