import { indentOf, hasText } from "../../text/lines.ts";
import { readBrackets } from "./brackets.ts";
import type { Place } from "./place.ts";

/** How much of the code after the cursor has to come to be it, whatever follows, in characters without white space. */
const distinctive = 18;
/** Words and tags that end blocks. */
const blockEnd = /^(?:end|fi|done|esac|else|<\/[\w.-]+>)+$/;
/** Most lines before and after the cursor that are compared. */
const mostBefore = 1_000;
const mostAfter = 200;
/** How far a text is read to see how much it says. */
const longestLook = 512;
/** Most places where closers may be said twice that are looked at: each takes the brackets of all of the answer. */
const mostClosers = 10;
/** Longest group of lines that is looked for again right after itself. */
const longestGroup = 40;

/** A line that is not blank, what it says without white space, and where it starts in its text. */
interface Line {
  readonly key: string;
  readonly text: string;
  readonly start: number;
}

/** The answer without the code right before the cursor that it starts with; `undefined` if it says nothing else. */
export function withoutBefore(answer: string, place: Place): string | undefined {
  const { before, linePrefix } = place;
  const isInLine = hasText(linePrefix);
  const lines = linesOf(answer);
  const known = linesOf(before).slice(-Math.min(mostBefore, lines.length));
  const current = isInLine ? (known.at(-1)?.key ?? "") : "";
  for (const [from, { start }] of known.entries()) {
    const size = known.length - from;
    const last = lines[size - 1];
    const isSame = (at: number): boolean =>
      isInLine && at === size - 1 ? last?.key.startsWith(current) === true : known[from + at]?.key === lines[at]?.key;
    let same = 0;
    while (same < size && isSame(same)) same += 1;
    if (same < size || !last) continue;
    const cut = isInLine ? indexAfter(answer, last.start, current.length) : last.start + last.text.length;
    const echo = before.slice(start).trim();
    if (!isRepeated(echo, start, answer, place)) continue;
    const rest = restAfter(answer.slice(cut), before);
    if (hasText(rest)) return rest;
    // Closers, items and equal lines may follow themselves.
    if (isInLine || weight(echo) >= 12) return undefined;
  }
  return answer;
}

/** Whether lines that are said again are a repetition, and the answer does not just start in the same way. */
function isRepeated(echo: string, start: number, answer: string, { before, linePrefix }: Place): boolean {
  const score = weight(echo);
  const isInLine = hasText(linePrefix);
  const text = answer.trimStart();
  // Blocks may end one after the other.
  if ((!isInLine || /^\s*\n/.test(answer)) && blockEnd.test(echo.replace(/\s+/g, ""))) return false;
  // Whole lines up to the cursor, with all of their white space.
  const lines = before.slice(start).trimStart();
  if (lines.includes("\n") && text.startsWith(lines) && (linePrefix !== "" || !echo.endsWith(","))) return true;
  if (!isInLine) return score >= 4;
  return (
    score >= 2 ||
    ((echo.length > 1 || /\s$/.test(linePrefix)) &&
      !/^[)\]}]/.test(echo) &&
      answer.replace(/^[ \t]+/, "").startsWith(linePrefix.trimStart()))
  );
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
  const { after, linePrefix, lineSuffix } = place;
  const isInLine = hasText(lineSuffix) && linePrefix !== "";
  const lines = linesOf(answer);
  const known = linesOf(after).slice(0, mostAfter);
  const next = known[0]?.key ?? "";
  let closers = 0;
  for (const [index, { key, start }] of lines.entries()) {
    const isLast = index === lines.length - 1;
    const size = isInLine
      ? overlap(key, next, isLast)
      : key === next || (isLast && index > 0 && isCutOff(key, next))
        ? key.length
        : 0;
    if (size === 0) continue;
    const cut = isInLine ? indexAfter(answer, start, key.length - size) : start;
    let echo = key.slice(key.length - size);
    let at = index + 1;
    for (let other = known[1]?.key; at < lines.length; other = known[at - index]?.key) {
      const said = lines[at]?.key ?? "";
      // The last line may be cut off.
      if (said !== other && !(at === lines.length - 1 && other?.startsWith(said))) break;
      echo += said;
      at += 1;
    }
    const score = weight(echo);
    const isAll = at === lines.length;
    // An answer that starts in the same way may go on in another.
    if (cut === 0 && !isAll) continue;
    if (!isAll && (echo.length < distinctive || score < 8)) continue;
    const rest = answer.slice(0, cut);
    if (score >= 3 && !blockEnd.test(echo)) return rest;
    closers += 1;
    if (closers <= mostClosers && isClosedTwice(answer, rest, echo, place)) return rest;
  }
  return answer;
}

/** Whether a line is the start of the one that follows: long enough, or closers. */
function isCutOff(key: string, next: string): boolean {
  return next.startsWith(key) && (key.length >= distinctive || /^[)\]}"'`;,<]/.test(key));
}

/** Whether closers at the end of an answer follow the cursor anyway. */
function isClosedTwice(answer: string, rest: string, echo: string, place: Place): boolean {
  const { linePrefix, lineSuffix, nextLine } = place;
  const [excess, rests] = [excessOf(answer, place), excessOf(rest, place)];
  if (hasText(lineSuffix)) {
    // The quotation mark that follows ends a string, if the line has one more that starts it.
    const quote = /^["'`]/.exec(echo)?.[0];
    if (quote !== undefined) return lineSuffix.startsWith(quote) && (linePrefix + rest).split(quote).length % 2 === 0;
    if ((excess > 0 && rests >= 0) || (excess === rests && echo.length > 1)) return true;
    return /^[;,>]$/.test(echo);
  }
  // Two lines that close something never stand at the same level.
  const lines = answer.slice(rest.trimEnd().length).trimEnd();
  const line = lines.slice(lines.lastIndexOf("\n", 1) + 1);
  return indentOf((rest.includes("\n") ? "" : linePrefix) + line) === indentOf(nextLine);
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
  const lines = linesOf(answer);
  for (let size = 1; size < Math.min(longestGroup, lines.length); size += 1) {
    // The first line may have its indentation before the cursor.
    const isSame = (at: number): boolean =>
      at === 0 ? lines[at]?.key === lines[size]?.key : lines[at]?.text === lines[at + size]?.text;
    let last = lines.length - 1 - size;
    // The last line may be cut off.
    if (!isSame(last) && lines[last]?.key.startsWith(lines.at(-1)?.key ?? "")) last -= 1;
    let start = last;
    while (start >= 0 && isSame(start)) start -= 1;
    const length = last - start;
    const group = lines.slice(start + 1, start + 1 + size);
    const score = weight(group.map(({ key }) => key).join(""));
    const end = (group.at(-1)?.start ?? 0) + (group.at(-1)?.text.length ?? 0);
    if (length >= 2 * size ? score >= 2 || length >= 4 * size : length >= size && score >= (size === 1 ? 8 : 30))
      return answer.slice(0, end);
  }
  return answer;
}

/** The lines of a text that are not blank. */
function linesOf(text: string): readonly Line[] {
  const lines: Line[] = [];
  let start = 0;
  for (const line of text.split("\n")) {
    if (hasText(line)) lines.push({ key: line.replace(/\s+/g, ""), text: line.trimEnd(), start });
    start += line.length + 1;
  }
  return lines;
}

/** Where so many characters end that are no white space, from a place in a text on. */
function indexAfter(text: string, start: number, count: number): number {
  let index = start;
  for (let left = count; left > 0; index += 1) if (text.charCodeAt(index) > 32) left -= 1;
  return index;
}

/** How many characters at the end of a line are the start of what follows: all of that, or some at the end of the answer. */
function overlap(line: string, next: string, isLast: boolean): number {
  if (line.endsWith(next)) return next.length;
  let size = isLast ? Math.min(line.length, next.length) : 0;
  while (size > 0 && !line.endsWith(next.slice(0, size))) size -= 1;
  return size;
}

/** How many letters, digits and underscores a text has: how much it says. */
function weight(text: string): number {
  return text.slice(0, longestLook).match(/[\p{L}\p{N}_$]/gu)?.length ?? 0;
}
