import { indentOf, isFilled } from "../../text/lines.ts";
import { readBrackets } from "./brackets.ts";
import type { Place } from "./place.ts";

/** How much of the code after the cursor has to come to be it, whatever follows, in characters without white space. */
const distinctive = 18;
/** Words and tags that end blocks. */
const blockEnd = /^(?:end|fi|done|esac|else|<\/[\w.-]+>)+$/;
/** How far a text is read to see how much it says. */
const longestLook = 512;
/** Most overlaps that are worth a look. */
const mostOverlaps = 12;
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
    const rest = restAfter(answer.slice(end), before);
    const startsLine = linePrefix.trim() === "" || /^\s*\n/.test(answer);
    // Blocks may end one after the other.
    if (isInWord || (startsLine && blockEnd.test(said.text.slice(0, size)))) continue;
    if (!isRepeated(echo, start, answer.slice(0, end), answer.slice(end), place)) continue;
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
  if (!startsLine) return isOnLine ? says >= 3 && !echo.endsWith(",") && !/^\s*\n/.test(said) : false;
  if (isOnLine)
    return (
      says >= 2 ||
      /^[ \t]*\n/.test(rest) ||
      (/^\s/.test(linePrefix) && said.startsWith(linePrefix.trimEnd())) ||
      ((echo.length > 1 || /\s$/.test(before)) &&
        /^[^)\]}]/.test(echo) &&
        (said + rest).replace(/^[ \t]+/, "").startsWith(linePrefix.trimStart()))
    );
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
  return withoutExcess(withoutRepeated(answer, place), place);
}

function withoutRepeated(said: string, place: Place): string {
  const answer = withoutClosingQuote(said, place);
  const { after, lineSuffix, linePrefix, nextLine } = place;
  const known = squeeze(after).text;
  const spoken = squeeze(answer);
  const lineEnd = squeeze(lineSuffix).text || "\n";
  let needle = "";
  for (const line of after.slice(0, 2_000).split("\n")) if (needle.length < distinctive) needle += squeeze(line).text;
  const isLineAt = (at: number): boolean => {
    const start = answer.lastIndexOf("\n", at - 1) + 1;
    return answer.slice(start, at).trim() === "" && (start > 0 || linePrefix.trim() === "");
  };
  const starts = (at: number): boolean =>
    lineSuffix.trim() === "" ? isLineAt(at) : !(isWord(answer[at - 1]) && isWord(answer[at]));
  if (needle.length >= distinctive && weight(needle) >= 8)
    for (let index = spoken.text.indexOf(needle); index >= 0; index = spoken.text.indexOf(needle, index + 1)) {
      const at = spoken.at[index] ?? 0;
      if (starts(at)) return answer.slice(0, at);
    }
  for (const size of overlaps(known, spoken.text)) {
    const at = spoken.at[spoken.at.length - size] ?? 0;
    const rest = answer.slice(0, at);
    const echo = known.slice(0, size);
    if (at === 0 && size >= 20) return "";
    if (!starts(at)) continue;
    // The start of the next line is the end of another one.
    if (lineEnd === "\n" && isWord(known[size - 1]) && size < Math.min(distinctive, squeeze(nextLine).text.length))
      continue;
    if (weight(echo) >= 3 && !blockEnd.test(echo)) return rest;
    // What closes a bracket of the completion is not what follows.
    const [excess, rests] = [excessOf(answer, place), excessOf(rest, place)];
    if (/^[^\w*#/]/.test(echo) && excess === 0 && rests < 0) continue;
    // Two lines that close something never stand at the same level.
    const start = answer.lastIndexOf("\n", at - 1) + 1;
    const isLevel = indentOf((start === 0 ? linePrefix : "") + answer.slice(start, at)) === indentOf(nextLine);
    if (lineEnd === "\n" && isLevel && (/^[^\w*#/]/.test(echo) || blockEnd.test(echo))) return rest;
    const lines = answer.slice(rest.trimEnd().length).trimEnd();
    if (lines.startsWith("\n") && `${after}\n`.startsWith(`${lines}\n`)) return rest;
    if ((excess > 0 && rests >= 0) || (excess === rests && echo.length > 1 && echo.startsWith(lineEnd))) return rest;
    if (/^[;,>]$/.test(echo) && lineSuffix.trim() !== "") return rest;
    // The quotation mark that follows ends a string, if the line has one more that starts it.
    const quote = /^["'`]/.exec(echo)?.[0];
    if (quote && lineSuffix.startsWith(quote) && (linePrefix + rest).split(quote).length % 2 === 0) return rest;
  }
  return answer;
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

/** The answer up to the bracket that closes more than is open for it, as the editor closes what is typed. */
function withoutExcess(answer: string, { language, open, owed }: Place): string {
  if (owed === undefined || owed < 0 || language.levels === "none") return answer;
  const { stack, closed, left } = readBrackets(answer, language, open.until);
  return closed - stack.length > owed ? answer.slice(0, left.get(-owed)) : answer;
}

/** The answer up to where it starts to say the same lines again and again until it ends. */
export function withoutLoops(answer: string): string {
  const lines = answer.split("\n");
  const filled = lines.flatMap((line, at) => (isFilled(line) ? [{ line: line.trimEnd(), at }] : []));
  // The first line may have its indentation before the cursor.
  const isSame = (one: number, other: number): boolean => {
    const [first, { line = "" } = {}] = [filled[one], filled[other]];
    return first?.line === line || (first?.at === 0 && first.line.trim() === line.trim());
  };
  const last = filled.length - 1;
  for (let size = 1; size <= Math.min(longestGroup, last); size += 1) {
    // The last line may be cut off.
    const isCut = !isSame(last - size, last) && filled[last - size]?.line.startsWith(filled[last]?.line ?? "");
    const end = isCut ? last - 1 : last;
    let start = end - size;
    while (start >= 0 && isSame(start, start + size)) start -= 1;
    const length = end - size - start;
    const group = filled.slice(start + 1, start + 1 + size);
    const says = weight(group.map(({ line }) => line).join(""));
    if (length >= 2 * size ? says >= 2 || length >= 4 * size : length >= size && says >= (size === 1 ? 8 : 30))
      return lines.slice(0, (group.at(-1)?.at ?? 0) + 1).join("\n");
  }
  return answer;
}

/** The text without white space, and where each of its characters stands in the text. */
function squeeze(text: string): { readonly text: string; readonly at: readonly number[] } {
  const at: number[] = [];
  for (let index = 0; index < text.length; index += 1) if (text.charCodeAt(index) > 32) at.push(index);
  return { text: text.replace(/[\0- ]+/g, ""), at };
}

/** How many characters at the start of one text are the end of another: all possible numbers, the largest first. */
function overlaps(headOf: string, tailOf: string): readonly number[] {
  const tail = tailOf.slice(-headOf.length);
  const borders = new Int32Array(headOf.length);
  const step = (length: number, char: number) => {
    let next = length;
    while (next > 0 && (next === headOf.length || headOf.charCodeAt(next) !== char)) next = borders[next - 1] ?? 0;
    return next < headOf.length && headOf.charCodeAt(next) === char ? next + 1 : next;
  };
  for (let index = 1, length = 0; index < headOf.length; index += 1) {
    length = step(length, headOf.charCodeAt(index));
    borders[index] = length;
  }
  let length = 0;
  for (let index = 0; index < tail.length; index += 1) length = step(length, tail.charCodeAt(index));
  const found: number[] = [];
  for (; length > 0 && found.length < mostOverlaps; length = borders[length - 1] ?? 0) found.push(length);
  return found;
}

/** How many letters, digits and underscores a text has: how much it says. */
function weight(text: string): number {
  return text.slice(0, longestLook).match(/[\p{L}\p{N}_$]/gu)?.length ?? 0;
}

/** Whether a character can be part of a name. */
function isWord(char: string | undefined): boolean {
  return char !== undefined && /[\p{L}\p{N}_$]/u.test(char);
}
