import { CommandReader } from "./commandReader.ts";
import { KeyReader } from "./findKeys.ts";
import {
  isForm,
  isSecret,
  type Measure,
  measures,
  nameClasses,
  namePart,
  otherName,
  secretForms,
  secretNoun,
} from "./isSecret.ts";
import { type Found, LineReader } from "./otherLines.ts";
import { endOf, isNamed, type Name, secretIn, type Span, stringAt, textAt, valueAt, wordAt } from "./secretValues.ts";

export type { Span } from "./secretValues.ts";

/** The longest name, and how far from it a value in the same element may stand. */
const longestName = 60;
const farthest = 300;

/** Most names of a line that are looked at one by one. A line with more of them, one behind the other, is no text. */
const mostNames = 500;

/**
 * Finds the secrets in the lines of a file or a diff. Only values are secrets: of a form that only secrets have, or random
 * enough for the name before them. What stands for a value, such as `${PASSWORD}` or `changeme`, is none, and neither are
 * names, types, numbers and calls. Takes linear time.
 */
export function findSecrets(lines: readonly string[]): readonly (readonly Span[])[] {
  const [keys, commands] = [new KeyReader(), new CommandReader()];
  const found: (readonly Span[])[] = lines.map(() => none);
  const add: Found = (index, spans) => {
    if (spans.length > 0) found[index] = joined([...(found[index] ?? none), ...spans]);
  };
  const others = new LineReader(lines, add);
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? "";
    if (line.length < 3) continue;
    const names = namesIn(line);
    add(index, [...keys.read(line), ...commands.read(line), ...formSpans(line)]);
    if (line.length < 60) others.read(index);
    if (!names) {
      add(index, randomWords(line));
      continue;
    }
    const spans = [...randomStrings(line, names)];
    let end = 0;
    for (const name of names) {
      const values = name.start < end ? none : valuesOf(line, name);
      spans.push(...values);
      end = values.at(-1)?.end ?? end;
    }
    add(index, spans);
    const own = names.findLast(({ measure }) => measure !== measures.random) ?? names.at(-1);
    if (own && end <= own.end) others.follow(index, own);
  }
  return found;
}

const none: readonly Span[] = [];

function formSpans(line: string): readonly Span[] {
  // `search` makes no copy of the pattern, which is what takes the time.
  const found = secretForms.filter(([pattern]) => line.search(pattern) >= 0);
  return found.flatMap(([pattern, measure]) =>
    Array.from(line.matchAll(pattern), (match) => {
      const value = match[1] ?? match[0];
      const start = match.index + match[0].lastIndexOf(value);
      return { start, end: start + value.length };
    }).filter(({ start, end }) => isForm(line.slice(start, end), measure)),
  );
}

/** The names in a line; `undefined` if it has too many to be text. */
function namesIn(line: string): readonly Name[] | undefined {
  if (line.search(secretNoun) < 0) return [];
  const names: Name[] = [];
  let last = 0;
  for (const { index, 0: noun } of line.matchAll(secretNoun)) {
    if (index < last) continue;
    if (names.length > mostNames && names.length * 24 > last) return undefined;
    let [start, end] = [index, index + noun.length];
    while (start > Math.max(last, index - longestName) && isNamePart(line.charCodeAt(start - 1))) start -= 1;
    while (end < index + longestName && isNamePart(line.charCodeAt(end))) end += 1;
    last = end;
    const measure = measureOf(line.slice(start, end));
    if (measure) names.push({ start, end, measure, limit: line.length });
  }
  if (names.length < 2) return names;
  // A word ends where the next name with a value begins.
  let limit = line.length;
  return names
    .toReversed()
    .map((name) => {
      const own = { ...name, limit };
      if (/[:=：]/.test(line[name.end] ?? "")) limit = name.start;
      return own;
    })
    .toReversed();
}

/** Whether a character stands in names: also a Chinese one, but for those that mean “is”. */
function isNamePart(code: number): boolean {
  return code < 128
    ? /[\w$-]/.test(String.fromCharCode(code))
    : code >= 0x4e00 && code <= 0x9fff && code !== 0x662f && code !== 0x4e3a;
}

const knownNames = new Map<string, Measure | undefined>();

/** How random the value of a name has to be; `undefined` for a name that says nothing about it. */
function measureOf(name: string): Measure | undefined {
  if (knownNames.has(name)) return knownNames.get(name);
  const words = name
    .replace(/([a-z\d])([A-Z])|([A-Z])(?=[A-Z][a-z])|([A-Za-z])(?=\d)|(\d)(?=[A-Za-z])/g, "$1$3$4$5 $2")
    .toLowerCase()
    .split(/[\s_$-]+/)
    .filter((word) => word !== "");
  const own = words.slice(0, words.findLastIndex((word) => !namePart.test(word)) + 1).join(" ");
  const named = otherName.test(words.join(" ")) ? undefined : nameClasses.find(({ pattern }) => pattern.test(own));
  if (knownNames.size > 2_000) knownNames.clear();
  knownNames.set(name, named?.measure);
  return named?.measure;
}

const closing = /\\{0,8}["'`]?\]?\)?[!?]?(?:\*\*|__)?(?:\s\(\w{1,20}\)(?=:))?/y;
/** What stands between a name and its value, in the order in which it is looked for; some only after some names. */
const separators: readonly (readonly [pattern: RegExp, measure?: Measure])[] = [
  [/(?<![\\"'`])(?:\s{0,4}:)?[\s&*?]{0,4}[A-Za-z][\w.<>[\]|&*? ]{0,40}=\s{0,8}(?=[rbfuRBFU@$]{0,2}\\*["'`])/y],
  [/,?\s{0,20}\\*["']?\w{0,20}(?:value|default|content)\\*["']?\s{0,4}[:=]\s{0,8}/iy],
  [/(?:\s{0,20}(?:,|\(|\?\?=?|\|\|=?|\?:|[!=]==?)\s{0,20}|["'], ?["']\w{1,10}["'],?\s?)(?=[rbfuRBFU@$]{0,2}\\*["'`])/y],
  [/\s{1,20}(?=["'])/y, measures.password],
  [
    /\s{0,20}(?::=|=>|[?+]?=|:-|::?|：)(?:\*\*|__)?\s{0,20}(?:[&!][\w!/.:-]{1,40}\s{1,4}|(?:\w{1,30}(?:::|\.))?(?:from|of|new|string)\w{0,20}\(\s?(?=["'`]))?/iy,
  ],
  [/(?<=^[+\- ]?\s{0,8}\|[^|]{0,80})\s{0,40}\|\s{0,20}(?=\S+\s{0,40}\|)/y, measures.password],
  [/\s{1,4}(?:is|was):?\s{1,4}(?=\S*\d)|\s?[是为]\s?[:：]?\s?/y, measures.password],
];
const elements = /<\/(?:key|name)>\s{0,20}<(?:string|value)>/y;
const element = /(?:\s[^<>]{0,200})?>\s{0,20}(?:<!\[CDATA\[|<(?:string|value)>)?/y;

/** The values of a name in its line that are secrets. */
function valuesOf(line: string, name: Name): readonly Span[] {
  const close = endOf(closing, line, name.end) ?? name.end;
  if (name.limit - close < measures.login.length) return besides(line, name);
  const ways = [separated, enclosed, optional, besides];
  return ways.reduce((found, find) => (found.length > 0 ? found : find(line, name, close)), none);
}

/** The value behind a sign such as `=`. */
function separated(line: string, name: Name, close: number): readonly Span[] {
  const { measure, limit } = name;
  let start: number | undefined;
  for (const [pattern, only = measure] of separators) if (only === measure) start ??= endOf(pattern, line, close);
  if (start === undefined) return none;
  if (line[start] === "[") return listAt(line, start, measure);
  const isWhole = isAlone(line, name, start);
  return valueAt(line, start, measure, isWhole, isWhole ? undefined : limit);
}

/** The text of an element. */
function enclosed(line: string, name: Name, close: number): readonly Span[] {
  const pair = endOf(elements, line, close);
  if (pair !== undefined) return secretIn(line, name.measure, textAt(line, pair));
  const tag = line.slice(Math.max(0, name.start - 200), name.start);
  if (tag.lastIndexOf("<") <= tag.lastIndexOf(">")) return none;
  const start = endOf(element, line, close);
  return start === undefined ? none : secretIn(line, name.measure, textAt(line, start));
}

/** The value of an option of a command, or in a line of a file of settings. */
function optional(line: string, { start, end, measure }: Name, close: number): readonly Span[] {
  if (close !== end || line[end] !== " ") return none;
  const isOption =
    (line[start] === "-" && line[start - 1] !== "-") ||
    (start < 100 && /^\s*(?:ENV|ARG|setenv|set -\w+)\s+$/.test(line.slice(0, start))) ||
    (measure === measures.password && line.length < 1_000 && /^[+\- ]?\s*\S+ \S+$/.test(line));
  if (isOption) return valueAt(line, end + 1, measure);
  const word = wordAt(line, end + 1);
  const isRandom = word && /^[^=|]*[\d!#%*@][^=|]*={0,2}$/.test(line.slice(word.start, word.end));
  return isRandom ? secretIn(line, measure === measures.password ? measures.secret : measures.random, word) : none;
}

/** The secrets in a list, which may be numbers of bytes. */
function listAt(line: string, start: number, measure: Measure): readonly Span[] {
  const text = line.slice(start, start + 400).split("]", 1)[0] ?? "";
  if (/^\[(?:\s*\d{1,3},){31}/.test(text)) return [{ start: start + 1, end: start + text.length }];
  return Array.from(text.matchAll(/[^\s"'`,[]{4,}/g))
    .map(({ 0: word, index }) => ({ start: start + index, end: start + index + word.length }))
    .filter((span) => secretIn(line, measure, span).length > 0);
}

/** The strings behind a name of a secret that are as random as those that programs make, wherever they stand in the line. */
function randomStrings(line: string, names: readonly Name[]): readonly Span[] {
  const first = names.find(({ measure }) => measure !== measures.random);
  if (!first || line.length - first.end < measures.secret.length || !/["'`]/.test(line)) return none;
  const measure = first.measure === measures.password ? distinct : measures.random;
  const strings = line.slice(first.end).matchAll(/(?<=["'`])[\w+/=.~!@#$%^&*?-]{8,4000}(?=\\?["'`]|$)/g);
  return Array.from(strings).flatMap(({ 0: text, index }) => {
    const start = first.end + index;
    return /\d/.test(text) && isSecret(text, measure) ? [{ start, end: start + text.length }] : [];
  });
}

/** A string that is hardly anything else than a password, in a line that speaks of one. */
const distinct: Measure = { surprise: 3.5, length: 8, density: 0.2 };

/** All words that may be passwords. */
function randomWords(line: string): readonly Span[] {
  return Array.from(line.matchAll(/[^\s"'`,;:=&<>(){}[\]]{5,}/g))
    .map(({ 0: word, index }) => ({ start: index, end: index + word.length }))
    .filter(({ start, end }) => isSecret(line.slice(start, end), measures.password));
}

const configured =
  /^[+\- ]?\s*(?:[-?]\s+)?(?:(?:export|set|setenv|env|arg|declare|env\s+set)\s+(?:-\w+\s+)*|Environment=|\$env:|\/\/[\w./:@-]{1,100}:)?["']?[\w./:-]*$/i;

/** Whether nothing but a name and a value without quotation marks stand in a line. */
function isAlone(line: string, { start }: Name, value: number): boolean {
  return (
    start < 200 &&
    line.length < 5_000 &&
    configured.test(line.slice(0, start)) &&
    /^\S+\s*(?:#.*|\\)?$/.test(line.slice(value)) &&
    !/[,;({[]$/.test(line.trimEnd())
  );
}

const valueKey = /(?<!\w)\w{0,20}(?:value|default|content|data)\w{0,5}\\{0,8}["']?\s{0,4}[:=]\s{0,4}/i;

/** The value of a name that stands in the same element, before the name or after other properties. */
function besides(line: string, name: Name): readonly Span[] {
  if (!isNamed(line, name)) return none;
  const starts = [Math.max(0, name.start - farthest), name.end];
  return starts.flatMap((from) => {
    const match = valueKey.exec(line.slice(from, from < name.start ? name.start : from + farthest));
    if (!match) return none;
    const start = from + match.index + match[0].length;
    const between =
      from < name.start ? line.slice(stringAt(line, start)?.end ?? start, name.start) : line.slice(from, start);
    return /[<>{}]/.test(between) ? none : valueAt(line, start, name.measure);
  });
}

/** Spans in order, none of which overlap. */
function joined(spans: readonly Span[]): readonly Span[] {
  if (spans.length < 2) return spans;
  const result: Span[] = [];
  for (const span of spans.toSorted((one, other) => one.start - other.start || other.end - one.end)) {
    const last = result.at(-1);
    if (last && span.start < last.end)
      result[result.length - 1] = { start: last.start, end: Math.max(last.end, span.end) };
    else if (span.end > span.start) result.push(span);
  }
  return result;
}
