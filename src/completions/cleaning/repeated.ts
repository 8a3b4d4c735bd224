import { hasText, indentOf } from "../../text/lines.ts";
import { bracketPairs, type Brackets, readBrackets } from "./brackets.ts";
import { languageOf } from "../languages.ts";
import { isCode, type ParsedContext } from "./context.ts";

/** A language without strings and comments. */
const plainText = languageOf("plaintext");
/** Minimum length of code after the cursor that an answer repeats before it continues, in characters without whitespace. */
const distinctive = 18;
/** Words and tags that end blocks, which may follow each other. */
const blockEnd = /^(?:(?:end|fi|done|esac|else|<\/[\w.-]+>)[)\]};,]*)+$/;
/** Maximum number of lines before and after the cursor that are compared. */
const maxBefore = 1_000;
const maxAfter = 200;
/** Maximum number of lines that may repeat closing characters: each takes the brackets of all of the answer. */
const maxClosers = 10;
/** Maximum length of a text whose letters are counted, in characters. */
const maxCounted = 512;
/** Maximum number of lines in a group that is repeated. */
const maxGroup = 40;

/** A line with text: its text without whitespace (`key`), its text, and where it starts. */
interface Line {
  readonly key: string;
  readonly text: string;
  readonly start: number;
}

/** The answer without the code before the cursor that it starts with; `undefined` if it has nothing else. */
export function withoutRepeatedPrefix(text: string, context: ParsedContext): string | undefined {
  const { before, linePrefix } = context;
  // Models begin PHP with its tag wherever the cursor is.
  const isPhp = before.lastIndexOf("<?php") > before.lastIndexOf("?>");
  const answer = isPhp ? text.replace(/^\s*<\?php\s*\n/, "") : text;
  const isInLine = hasText(linePrefix);
  const lines = linesOf(answer);
  const known = linesOf(before).slice(-Math.min(maxBefore, lines.length + 1));
  const current = isInLine ? (known.at(-1)?.key ?? "") : "";
  for (const [from, { start }] of known.entries()) {
    const size = known.length - from;
    const last = lines[size - 1];
    const isSame = (at: number): boolean =>
      isInLine && at === size - 1 ? last?.key.startsWith(current) === true : known[from + at]?.key === lines[at]?.key;
    let same = 0;
    while (same < size && isSame(same)) same += 1;
    if (same < size || !last) continue;
    const echo = before.slice(start).trim();
    const isLine = isInLine && /^[ \t]/.test(before.slice(start)) && answer.startsWith(before.slice(start));
    if (!isLine && !isRepetition(echo, answer, before.slice(start).trimStart(), context)) continue;
    const end = isInLine ? indexAfter(answer, last.start, current.length) : last.start + last.text.length;
    // Another word starts with the same letters.
    if (/\s$/.test(linePrefix) && isWithinWord(answer, end)) continue;
    const rest = restAfter(answer.slice(end), before);
    if (hasText(rest)) return rest;
    // Items and equal lines may follow each other.
    if (isInLine || lettersIn(echo) >= 12) return undefined;
  }
  return withoutWords(answer, context);
}

/** The answer without the words at the end of the line before the cursor, the last of which may be half typed. */
function withoutWords(answer: string, context: ParsedContext): string {
  const { linePrefix, open } = context;
  const line = linePrefix.slice(-maxCounted);
  const start = [...line.matchAll(/\S/g)].find(
    ({ index }) => !isWithinWord(line, index) && answer.startsWith(line.slice(index)),
  )?.index;
  const words = line.slice(start ?? line.length);
  const isWord = /\p{L}$|\p{L}.*\p{L}/u.test(words);
  // The start of a string, a name, or a command is hardly ever repeated.
  const isMark = [open.terminator, line.trim()].includes(words) && /^["'`.#@$\\][\p{L}_]/u.test(answer);
  if (!isWord && !isMark) return answer;
  const rest = answer.slice(words.length);
  // If the rest goes on after a closing bracket, the repeated words have opened that bracket, as in `max(max(a, b), c)`.
  const excess = rest.slice(withoutExcess(rest, context).length);
  return keyOf(context.after).startsWith(keyOf(excess)) ? rest : answer;
}

/** Whether an index is between two letters or digits. */
function isWithinWord(text: string, index: number): boolean {
  return /^[\p{L}\p{N}_$]{2}$/u.test(text.slice(Math.max(0, index - 1), index + 1));
}

/** Whether an answer repeats code from before the cursor, rather than happens to start like it. */
function isRepetition(echo: string, answer: string, before: string, context: ParsedContext): boolean {
  const isInLine = hasText(context.linePrefix);
  const isExact = answer.trimStart().startsWith(before);
  // Blocks may end one after the other.
  if ((!isInLine || /^\s*\n/.test(answer)) && blockEnd.test(echo.replace(/\s+/g, ""))) return false;
  if (!isInLine) return lettersIn(echo) >= 4;
  if (lettersIn(echo) >= 2) return true;
  // A Markdown heading or a ruled line may continue.
  const goesOn = new Set(echo).size === 1 && answer.trimStart().startsWith(before + echo.slice(0, 1));
  // Code that closes a block and goes on, as in `} else {`, does not close it twice on a line.
  if (/^[)\]}]\P{L}*$/u.test(echo))
    return isExact && (/^\s*[)\]}]+[ \t]*\p{L}/u.test(answer) || withoutExcess(answer, context) !== answer);
  // In scripts, no bracket of a block follows another.
  const isDoubled = before === "<" || (before === "{" && context.language.hasRegex === true);
  return isExact && !goesOn && (before.length > 1 || isDoubled);
}

/** The text after repeated code, without the whitespace before the cursor. */
function restAfter(rest: string, before: string): string {
  const space = before.slice(before.trimEnd().length);
  if (rest.startsWith(space)) return rest.slice(space.length);
  return space.includes("\n") ? rest.replace(/^\s*\n/, "") : rest.replace(/^[ \t]+/, "");
}

/** The answer without the code and the quotation mark that follow the cursor, and without brackets that close too much. */
export function withoutSuffix(answer: string, context: ParsedContext): string {
  return withoutExcess(withoutRepeatedSuffix(withoutClosingQuote(answer, context), context), context);
}

/** The answer without the code that follows the cursor. */
export function withoutRepeatedSuffix(answer: string, context: ParsedContext): string {
  const { before, after, linePrefix, lineSuffix, lastLine } = context;
  const isInLine = hasText(lineSuffix) && linePrefix !== "";
  const lines = linesOf(answer);
  const known = linesOf(after).slice(0, maxAfter);
  const next = known[0]?.key ?? "";
  const above = new Set(linesOf(before).map((line) => line.key));
  let closers = 0;
  for (const [index, { key, start }] of lines.entries()) {
    const isLast = index === lines.length - 1;
    const size = isInLine
      ? overlap(key, next, isLast)
      : key === next || (isLast && index > 0 && isCutOff(key, next))
        ? key.length
        : 0;
    // A line that is there twice may be there once more.
    if (size === 0 || (!isInLine && index === 0 && key === keyOf(lastLine))) continue;
    // The last line may be cut off.
    const following = lines.slice(index + 1, index + 1 + known.length).findIndex(({ key: said }, at) => {
      const other = known[at + 1]?.key;
      return said !== other && !(index + 2 + at === lines.length && other?.startsWith(said));
    });
    const isAll = following < 0;
    // What the document repeats may be repeated once more.
    if (!isAll && above.has(key)) continue;
    const count = isAll ? lines.length - index - 1 : following;
    const echo =
      key.slice(-size) +
      lines
        .slice(index + 1, index + 1 + count)
        .map((line) => line.key)
        .join("");
    const end = indexAfter(answer, start, key.length - size);
    const cut = isInLine ? end + answer.slice(end).search(/\S|$/) : start;
    if (!isAll && (cut === 0 || echo.length < distinctive)) continue;
    if (lettersIn(echo) >= 3 && !blockEnd.test(echo)) return answer.slice(0, cut);
    closers += 1;
    if (closers <= maxClosers && closesTwice(answer, answer.slice(0, cut), echo, context)) return answer.slice(0, cut);
  }
  return answer;
}

/** Whether closing characters at the end of an answer already follow the cursor. */
function closesTwice(answer: string, rest: string, echo: string, context: ParsedContext): boolean {
  const { language, open, missingClosers = 0, linePrefix, lineSuffix, nextLine } = context;
  if (!hasText(lineSuffix)) {
    // Two lines that end blocks never have the same indentation.
    const line = answer.slice(rest.length).split("\n", 1)[0] ?? "";
    return indentOf((rest.includes("\n") ? "" : linePrefix) + line) === indentOf(nextLine);
  }
  // A quotation mark that follows closes the one that is open.
  if (/^["'`]$/.test(echo) && countOf(answer, new RegExp(echo, "g")) % 2 === 1) return true;
  const isText = open.terminator !== "" && /^[)\]}]/.test(echo);
  // In a text, too, a bracket closes one that is open before the cursor.
  const read = (text: string): Brackets =>
    isText ? readBrackets(text, plainText) : readBrackets(text, { ...language, brackets: "()[]{}" }, open.terminator);
  const [all, part] = [read(answer), read(rest)];
  if (/^["'`]$/.test(part.terminator)) return echo.includes(part.terminator);
  const excess = ({ unopened, indents }: Brackets): number =>
    unopened.length - indents.length - (isText ? 0 : missingClosers);
  const [own, cut] = [excess(all), excess(part)];
  // The answer opens what it closes, as in `Map<string, Set<number>>`.
  if (echo.startsWith(">") && countOf(rest, /</g) > countOf(rest, /(?<![=-])>/g)) return false;
  return Math.abs(own) > Math.abs(cut) || (own === cut && (echo.length > 1 || /^[;,>]$/.test(echo)));
}

/** Whether a line is the start of the one that follows. */
function isCutOff(key: string, next: string): boolean {
  return next.startsWith(key) && (key.length >= distinctive || /^[)\]}"'`;,<]/.test(key));
}

/** The answer up to the quotation mark that follows the cursor. */
function withoutClosingQuote(answer: string, { open, lineSuffix, language }: ParsedContext): string {
  const quote = open.terminator;
  if (!/^["'`]$/.test(quote) || !lineSuffix.startsWith(quote)) return answer;
  const text = answer.startsWith(quote) && answer.length > 1 ? answer.slice(1) : answer;
  const quotes = [...text.slice(0, 2_000).matchAll(/(?<!\\)["'`]/g)].filter(([char]) => char === quote);
  if (quotes.length % 2 === 0) return text;
  const rest = text.slice(0, quotes.at(-1)?.index);
  // Brackets that the rest opens would stay open.
  return readBrackets(rest, language, quote).indents.length > 0 ? text.slice(0, quotes[0]?.index) : rest;
}

/** The answer up to the bracket that follows the cursor, as editors add it, or up to a line that closes too much. */
function withoutExcess(answer: string, context: ParsedContext): string {
  const { language, open, missingClosers, linePrefix, lineSuffix, nextLine } = context;
  const isLast = !hasText(lineSuffix) && isCode(context);
  if (missingClosers === undefined || linePrefix === "" || !(isLast || /^\s*[)\]}]/.test(lineSuffix))) return answer;
  // In a string, a bracket that follows ends an expression, as in `"{a}"`.
  const isInString = !isLast && /^["'`]$/.test(open.terminator);
  const missing = isInString ? 0 : missingClosers;
  const most = Math.max(0, missing);
  // What the answer opens, such as the `{` of `a) {`, is not closed by a bracket of another kind that follows.
  const pair = bracketPairs.find(([, end = ""]) => !isLast && !isInString && lineSuffix.trimStart().startsWith(end));
  const reads = [...(missing < 0 ? [] : [language]), ...(pair && missing < 1 ? [{ brackets: pair, ...language }] : [])];
  const ends = reads.flatMap((read) => {
    const { unopened, indents } = readBrackets(answer, read, isInString ? "" : open.terminator);
    return unopened.length - indents.length > most ? (unopened[most] ?? []) : [];
  });
  if (ends.length === 0) return answer;
  const rest = answer.slice(0, Math.min(...ends));
  // Within a line, another one may be part of a regular expression.
  const isWithinLine = hasText(rest.slice(rest.lastIndexOf("\n") + 1));
  const follows = keyOf(nextLine).startsWith(keyOf(answer.slice(rest.length)));
  return isLast && isWithinLine && !follows ? answer : rest;
}

/** The answer up to where it repeats the same lines, until its end. */
export function withoutLoops(answer: string, { linePrefix }: ParsedContext): string {
  const all = linesOf(answer);
  const cut = all.at(-1)?.text ?? "";
  // The last line may be cut off.
  const isCutOff = (size: number): boolean => {
    const text = all.at(-1 - size)?.text ?? "";
    return text.length > cut.length && text.startsWith(cut);
  };
  const key = all[0]?.key ?? "";
  // The first line may have its beginning before the cursor.
  const firstKeys = [key, keyOf(linePrefix) + key];
  for (let size = 1; size <= maxGroup && size * 3 <= all.length + 1; size += 1) {
    const lines = isCutOff(size) ? all.slice(0, -1) : all;
    const isSame = (at: number): boolean =>
      at === 0 ? firstKeys.includes(lines[size]?.key ?? "") : lines[at]?.text === lines[at + size]?.text;
    const last = lines.length - 1 - size;
    let start = last;
    while (start >= 0 && isSame(start)) start -= 1;
    const group = lines.slice(start + 1, start + 1 + size);
    const end = group.at(-1);
    const keys = group.map(({ key }) => key).join("");
    if (!end || last - start < (lettersIn(keys) < 2 ? 4 : 2) * size) continue;
    return answer.slice(0, end.start + end.text.length);
  }
  return answer;
}

/** The lines of a text that are not blank. */
function linesOf(text: string): readonly Line[] {
  const lines: Line[] = [];
  let start = 0;
  for (const line of text.split("\n")) {
    if (hasText(line)) lines.push({ key: keyOf(line), text: line.trimEnd(), start });
    start += line.length + 1;
  }
  return lines;
}

/** A text without whitespace, for comparisons. */
export function keyOf(line: string): string {
  return line.replace(/\s+/g, "");
}

/** The index after `count` characters other than whitespace, from `start` on. */
function indexAfter(text: string, start: number, count: number): number {
  let index = start;
  for (let remaining = count; remaining > 0; index += 1) if (/\S|^$/.test(text.charAt(index))) remaining -= 1;
  return index;
}

/** How many characters at the end of a line are the start of what follows: all of that or, in the last line, some of it. */
function overlap(line: string, next: string, isLast: boolean): number {
  if (line.endsWith(next)) return next.length;
  let size = isLast ? Math.min(line.length, next.length) : 0;
  while (size > 0 && !line.endsWith(next.slice(0, size))) size -= 1;
  return size;
}

/** The number of letters, digits and underscores in a text. */
function lettersIn(text: string): number {
  return countOf(text.slice(0, maxCounted), /[\p{L}\p{N}_$]/gu);
}

function countOf(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
