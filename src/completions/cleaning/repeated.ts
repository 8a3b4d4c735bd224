import { indentOf, isFilled } from "../../text/lines.ts";
import { readBrackets } from "./brackets.ts";
import { isWord, overlaps, squeeze, weight } from "./overlap.ts";
import type { Place } from "./place.ts";

/** How much of the code after the cursor has to come to be it, whatever follows, in characters without white space. */
const distinctive = 30;
/** Words that end blocks. */
const blockEnd = /^(?:end|fi|done|esac|else)+$/;
/** Longest group of lines that is looked for again right after itself. */
const longestGroup = 40;

/** The answer without the code right before the cursor that it starts with; `undefined` if it says nothing else. */
export function withoutBefore(answer: string, place: Place): string | undefined {
  const { before, linePrefix } = place;
  const said = squeeze(answer);
  const known = squeeze(before);
  for (const size of overlaps(said.text, known.text)) {
    const start = known.at[known.at.length - size] ?? 0;
    const end = (said.at[size - 1] ?? 0) + 1;
    const echo = before.slice(start).trim();
    const isInWord = isWord(before[start - 1]) && isWord(before[start]);
    const isLongerWord = /\s$/.test(before) && isWord(answer[end - 1]) && isWord(answer[end]);
    const rest = restAfter(answer.slice(end), before);
    if (isInWord || isLongerWord) continue;
    const closesLess = excessOf(answer, place) > 0 && excessOf(rest, place) < excessOf(answer, place);
    if (!closesLess && !isRepeated(echo, start, answer.slice(0, end), answer.slice(end), place)) continue;
    if (rest.trim() !== "") return rest;
    // Closers, items and equal lines may follow themselves.
    if (linePrefix.trim() !== "" || weight(echo) >= 12) return undefined;
  }
  return answer;
}

/** Whether text that is said again is a repetition, and does not just start in the same way. */
function isRepeated(echo: string, start: number, said: string, rest: string, { before, linePrefix }: Place): boolean {
  const says = weight(echo);
  const lineStart = before.lastIndexOf("\n", start - 1) + 1;
  const startsLine = before.slice(lineStart, start).trim() === "";
  const isOnLine = start >= before.length - linePrefix.length;
  // Whole lines up to the cursor, with all of their white space.
  const lines = before.slice(lineStart).trimStart();
  if (startsLine && lines.includes("\n") && !echo.endsWith(",") && (said + rest).trimStart().startsWith(lines))
    return true;
  if (!startsLine) return isOnLine ? says >= 3 && !echo.endsWith(",") && !/^\s*\n/.test(said) : says >= 40;
  if (isOnLine)
    return (
      says >= 2 ||
      /^[ \t]*\n/.test(rest) ||
      (/^\s/.test(linePrefix) && said.startsWith(linePrefix.trimEnd())) ||
      ((echo.length > 1 || /\s$/.test(before)) &&
        /^[^)\]}]/.test(echo) &&
        (said + rest).replace(/^[ \t]+/, "").startsWith(linePrefix.trimStart()))
    );
  if (echo.includes("\n") && /[([{]$/.test(echo)) return true;
  // What is a whole line before the cursor starts a longer one here.
  const isWhole = linePrefix.trim() !== "" || /^[ \t]*(?:\n|$)/.test(rest);
  return isWhole && says >= (linePrefix.trim() === "" ? 4 : 3) && !/^\S+,$/.test(echo);
}

/** What follows the repeated text, without the white space that stands before the cursor already. */
function restAfter(rest: string, before: string): string {
  const space = before.slice(before.trimEnd().length);
  if (rest.startsWith(space)) return rest.slice(space.length);
  if (space.includes("\n")) return rest.replace(/^\s*\n/, "");
  return space === "" ? rest : rest.replace(/^[ \t]+/, "");
}

/** The answer without the code that follows the cursor anyway, and without brackets that close too much. */
export function withoutAfter(answer: string, place: Place): string {
  return withoutExcess(withoutRepeated(withoutClosingQuote(answer, place), place), place);
}

function withoutRepeated(answer: string, place: Place): string {
  const { after, lineSuffix, linePrefix, nextLine } = place;
  const known = squeeze(after).text;
  const said = squeeze(answer);
  let needle = "";
  for (const line of after.slice(0, 2_000).split("\n")) if (needle.length < distinctive) needle += squeeze(line).text;
  const isLineAt = (at: number): boolean => {
    const start = answer.lastIndexOf("\n", at - 1) + 1;
    return answer.slice(start, at).trim() === "" && (start > 0 || linePrefix.trim() === "");
  };
  const starts = (at: number): boolean =>
    lineSuffix.trim() === "" ? isLineAt(at) : !(isWord(answer[at - 1]) && isWord(answer[at]));
  needle = needle.slice(0, distinctive);
  if (needle.length >= distinctive && weight(needle) >= 8)
    for (let index = said.text.indexOf(needle); index >= 0; index = said.text.indexOf(needle, index + 1)) {
      const at = said.at[index] ?? 0;
      if (starts(at)) return answer.slice(0, at);
    }
  for (const size of overlaps(known, said.text)) {
    const at = said.at[said.at.length - size] ?? 0;
    const rest = answer.slice(0, at);
    const echo = known.slice(0, size);
    if (at === 0 && size >= 20) return "";
    if (!starts(at)) continue;
    if (weight(echo) >= 3 && !blockEnd.test(echo)) return rest;
    // What closes a bracket of the completion is not what follows.
    if (/^[^\w*#/]/.test(echo) && excessOf(answer, place) === 0 && excessOf(rest, place) < 0) continue;
    const lines = answer.slice(rest.trimEnd().length).trimEnd();
    if (lines.startsWith("\n") && `${after}\n`.startsWith(`${lines}\n`)) return rest;
    // Two lines that close something never stand at the same level.
    if (
      lineSuffix.trim() === "" &&
      (/^[^\w*#/]/.test(echo) || blockEnd.test(echo)) &&
      indentAt(answer, at, linePrefix) === indentOf(nextLine)
    )
      return rest;
    if (excessOf(answer, place) > 0 && excessOf(rest, place) >= 0) return rest;
    if (/^[;,>]$/.test(echo) && lineSuffix.trim() !== "") return rest;
    // The quotation mark that follows ends a string, if the line has one more that starts it.
    const quote = /^["'`]/.exec(echo)?.[0];
    if (quote && lineSuffix.startsWith(quote) && (linePrefix + rest).split(quote).length % 2 === 0) return rest;
  }
  return answer;
}

/** The indentation of the line that a place in the answer is on. */
function indentAt(answer: string, at: number, linePrefix: string): string {
  const start = answer.lastIndexOf("\n", at - 1) + 1;
  return indentOf((start === 0 ? linePrefix : "") + answer.slice(start, at));
}

/** The answer up to the quotation mark that follows the cursor anyway. */
function withoutClosingQuote(answer: string, { open, lineSuffix }: Place): string {
  const quote = open.until;
  if (!/^["'`]$/.test(quote) || !lineSuffix.startsWith(quote)) return answer;
  const text = answer.startsWith(quote) && answer.length > 1 ? answer.slice(1) : answer;
  const quotes = [...text.slice(0, 2_000).matchAll(/(?<!\\)["'`]/g)].filter(([char]) => char === quote);
  return quotes.length % 2 === 0 ? text : text.slice(0, quotes.at(-1)?.index);
}

/** How many brackets an answer closes that something else closes. */
function excessOf(answer: string, { language, open, owed = 0 }: Place): number {
  const { stack, closed } = readBrackets(answer, language, open.until);
  return closed - stack.length - owed;
}

/** The answer up to the bracket that closes more than is open for it. */
function withoutExcess(answer: string, { language, open, owed }: Place): string {
  if (owed === undefined || owed < 0 || language.levels === "none") return answer;
  const { stack, closed, left } = readBrackets(answer, language, open.until);
  return closed - stack.length > owed ? answer.slice(0, left.get(-owed)) : answer;
}

/** The answer up to where it says the same lines again and again. */
export function withoutLoops(answer: string): string {
  const lines = answer.split("\n");
  const filled = lines.flatMap((line, at) => (isFilled(line) ? [{ line: line.trimEnd(), said: line.trim(), at }] : []));
  const isSame = (one: number, other: number): boolean => {
    const [first, second] = [filled[one], filled[other]];
    return first !== undefined && first.said === second?.said && (first.line === second.line || first.at === 0);
  };
  for (let start = 0; start < filled.length - 1; start += 1)
    for (let size = 1; size <= longestGroup; size += 1) {
      let length = 0;
      while (isSame(start + length, start + length + size)) length += 1;
      if (length < size) continue;
      const group = filled
        .slice(start, start + size)
        .map(({ said }) => said)
        .join("");
      const isAll = start + size + length === filled.length;
      const says = weight(group);
      const isLoop =
        length >= 2 * size ? says >= 2 || length >= 4 * size : length >= size && says >= (size === 1 ? 8 : 30) && isAll;
      if (isLoop) return lines.slice(0, (filled[start + size - 1]?.at ?? 0) + 1).join("\n");
      if (length > 1_000) return answer;
    }
  return answer;
}
