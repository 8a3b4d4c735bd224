import {
  encodedEnd,
  encodedLine,
  isForm,
  isSecret,
  keyBegin,
  keyEnd,
  keyLine,
  type Measure,
  measures,
  nameClasses,
  namePart,
  otherName,
  secretForms,
  secretNoun,
} from "./isSecret.ts";

/** A part of a line, from `start` up to but excluding `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A name that says what the value that follows it is. */
interface Name extends Span {
  readonly measure: Measure;
}

/** The longest name, and the longest value without quotation marks. */
const longestName = 60;
const longestWord = 4_000;

/** How many lines below a name a value with a name of its own may stand. */
const mostBetween = 3;

/**
 * Finds the secrets in the lines of a file or a diff. Only values are secrets: of a form that only secrets have, or random
 * enough for the name before them. What stands for a value, such as `${PASSWORD}` or `changeme`, is none, and neither are
 * names, types, numbers and calls. Takes linear time.
 */
export function findSecrets(lines: readonly string[]): readonly (readonly Span[])[] {
  const keys = new KeyReader();
  // A name whose value stands below it, as in `value: …` below `name: DB_PASSWORD`, and the last line where that may be.
  let open: { readonly measure: Measure; readonly last: number } | undefined;
  return lines.map((line, index) => {
    const inKey = keys.read(line);
    if (inKey) return inKey;
    const names = namesIn(line);
    const below = open && index <= open.last ? valueBelow(line, open.measure) : undefined;
    const spans = [...formSpans(line), ...randomStrings(line, names), ...(below ? [below] : [])];
    let last = 0;
    for (const name of names) {
      const value = name.start < last ? undefined : valueOf(line, name);
      if (!value) continue;
      spans.push(value);
      last = value.end;
    }
    if (below) open = undefined;
    const name = names.findLast(({ measure }) => measure !== measures.random) ?? names.at(-1);
    if (name && isOpen(line, name)) open = { measure: name.measure, last: index + mostBetween };
    return joined(spans);
  });
}

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

function namesIn(line: string): readonly Name[] {
  const names: Name[] = [];
  let last = 0;
  for (const { index, 0: noun } of line.matchAll(secretNoun)) {
    if (index < last) continue;
    let [start, end] = [index, index + noun.length];
    while (start > Math.max(last, index - longestName) && isNamePart(line[start - 1])) start -= 1;
    while (end < index + longestName && isNamePart(line[end])) end += 1;
    last = end;
    const measure = measureOf(line.slice(start, end));
    if (measure) names.push({ start, end, measure });
  }
  return names;
}

function isNamePart(character = ""): boolean {
  return /[\w$\p{Script=Han}-]/u.test(character);
}

/** How random the value of a name has to be; `undefined` for a name that says nothing about it. */
function measureOf(name: string): Measure | undefined {
  const words = name
    .replace(/([a-z\d])([A-Z])|([A-Z])(?=[A-Z][a-z])|([A-Za-z])(?=\d)|(\d)(?=[A-Za-z])/g, "$1$3$4$5 $2")
    .toLowerCase()
    .split(/[\s_$-]+/)
    .filter((word) => word !== "");
  if (otherName.test(words.join(" "))) return undefined;
  const own = words.slice(0, words.findLastIndex((word) => !namePart.test(word)) + 1).join(" ");
  return nameClasses.find(({ pattern }) => pattern.test(own))?.measure;
}

const opening = /[rbfuRBFU@$]{0,2}(\\*)("""|'''|["'`])/y;
const closing = /\\*["'`]?\]?\)?[!?]?/y;
/** What stands between a name and its value, in the order in which it is looked for; some only after some names. */
const separators: readonly (readonly [pattern: RegExp, measure?: Measure])[] = [
  [/(?:\s{0,4}:)?[\s&*?]{0,4}[A-Za-z][\w.<>[\]|&*? ]{0,40}=\s{0,8}(?=[rbfuRBFU@$]{0,2}\\*["'`])/y],
  [/,?\s{0,20}\\*["']?(?:value|default|content)\\*["']?\s{0,4}[:=]\s{0,8}/iy],
  [/(?:\s{0,20}(?:,|\(|\?\?=?|\|\|=?|\?:|[!=]==?)\s{0,20}|["'], ?["']\w{1,10}["'],?\s?)(?=[rbfuRBFU@$]{0,2}\\*["'`])/y],
  [/\s{1,20}(?=["'])/y, measures.password],
  [/\s{0,20}(?::=|=>|[?+]?=|:-|:|：)\s{0,20}/y],
];
const element = /(?:\s[^<>]{0,200})?>\s{0,20}/y;

/** The value that follows a name, if it is a secret. */
function valueOf(line: string, name: Name): Span | undefined {
  const { measure } = name;
  const close = endOf(closing, line, name.end) ?? name.end;
  const start = separators.reduce<number | undefined>(
    (found, [pattern, only = measure]) => found ?? (only === measure ? endOf(pattern, line, close) : undefined),
    undefined,
  );
  if (start !== undefined) {
    const string = stringAt(line, start);
    return secretIn(line, measure, string, wordAt(line, start, isAlone(line, name, start)));
  }
  if (/<[^<>]{0,200}$/.test(line.slice(Math.max(0, name.start - 200), name.start))) {
    const inside = endOf(element, line, close);
    return inside === undefined ? undefined : secretIn(line, measure, textAt(line, inside));
  }
  return isOption(line, name, close) ? secretIn(line, measure, undefined, wordAt(line, close + 1)) : undefined;
}

/** The strings behind a name of a secret that are as random as a key, wherever they stand in the line. */
function randomStrings(line: string, names: readonly Name[]): readonly Span[] {
  const first = names.find(({ measure }) => measure !== measures.random);
  if (!first) return [];
  const strings = line.slice(first.end).matchAll(/(?<=["'`])[\w+/=.~-]{16,4000}(?=\\?["'`]|$)/g);
  return Array.from(strings).flatMap(({ 0: text, index }) => {
    const start = first.end + index;
    return isSecret(text, measures.random) ? [{ start, end: start + text.length }] : [];
  });
}

function endOf(pattern: RegExp, line: string, start: number): number | undefined {
  pattern.lastIndex = start;
  return pattern.test(line) ? pattern.lastIndex : undefined;
}

/** The content of the string that starts here; its end may be in another line. */
function stringAt(line: string, from: number): Span | undefined {
  opening.lastIndex = from;
  const match = opening.exec(line);
  if (!match) return undefined;
  const start = opening.lastIndex;
  const close = `${match[1] ?? ""}${match[2] ?? ""}`;
  let end = line.indexOf(close, start);
  while (end > 0 && line[end - 1] === "\\" && !close.startsWith("\\")) end = line.indexOf(close, end + 1);
  return { start, end: end < 0 ? line.length : end };
}

/** A word without quotation marks. In a line of settings of its own, it has whatever characters it likes. */
function wordAt(line: string, start: number, isWholeLine = false): Span | undefined {
  const rest = line.slice(start, start + longestWord);
  const [text = ""] = (isWholeLine ? /^[^\s"'`]+/ : /^[^\s"'`,;&<>(){}[\]]+/).exec(rest) ?? [];
  return text === "" ? undefined : { start, end: start + text.length };
}

/** The text of an element. */
function textAt(line: string, start: number): Span {
  const end = line.indexOf("<", start);
  return { start, end: end < 0 ? line.length : end };
}

const configured =
  /^[+\- ]?\s*(?:[-?]\s+)?(?:(?:export|set|setenv|env|arg|declare|env\s+set)\s+(?:-\w+\s+)*|Environment=|\$env:|\/\/[\w./:@-]{1,100}:)?["']?[\w./:-]*$/i;

/** Whether nothing but a name and a value without quotation marks stand in a line. */
function isAlone(line: string, { start }: Name, value: number): boolean {
  const before = line.slice(0, start);
  return (
    start < 200 &&
    configured.test(before) &&
    /^\S+\s*(?:#.*|\\)?$/.test(line.slice(value)) &&
    !/[,;({[]$/.test(line.trimEnd())
  );
}

/** Whether a value follows a name after a blank: an option of a command, or a line of a file of settings. */
function isOption(line: string, { start, end, measure }: Name, close: number): boolean {
  if (close !== end || line[end] !== " " || line.length > 1_000) return false;
  if (line.startsWith("--", start) || /^\s*(?:ENV|ARG|setenv|set -\w+)\s+$/.test(line.slice(0, start))) return true;
  return measure === measures.password && /^[+\- ]?\s*\S+ \S+$/.test(line);
}

/** Whether the value of a name is expected in the next lines. */
function isOpen(line: string, { start, end }: Name): boolean {
  const before = line.slice(Math.max(0, start - 100), start).replace(/[\w.-]*$/, "");
  return (
    line.length - end < 100 &&
    /(?:\b(?:name|key|id|property|parameter|variable|field|setting|param)\w{0,5}\\?["']?\s*(?:[:=]\s*)?["']?|<(?:key|name)>)$/i.test(
      before,
    ) &&
    /^\s*["']?\s*[,;]?\s*(?:\{|>|<\/\w+>)?\s*$/.test(line.slice(end))
  );
}

const valueName =
  /^[+\- ]?\s*(?:-\s)?(?:["']?(?:value|default|content|data)\w{0,5}["']?\s*[:=]\s*|<(?:string|value)>)/i;

/** The value, with a name of its own, of a name that stands above it. */
function valueBelow(line: string, measure: Measure): Span | undefined {
  const start = valueName.exec(line)?.[0].length;
  if (start === undefined) return undefined;
  const string = stringAt(line, start) ?? (line[start - 1] === ">" ? textAt(line, start) : undefined);
  return secretIn(line, measure, string, wordAt(line, start));
}

/** The string, or else the word, if it is a secret. */
function secretIn(line: string, measure: Measure, string: Span | undefined, word?: Span): Span | undefined {
  const value = string ?? word;
  const test = string ? isSecret : isBareSecret;
  return value && test(line.slice(value.start, value.end), measure) ? value : undefined;
}

/** Whether a value without quotation marks is a secret, and not a number, a mark of a format, a name, or a call. */
function isBareSecret(value: string, measure: Measure): boolean {
  if (/^(?:[&*!|>@[({]|[-+]?0x)/.test(value)) return false;
  // Letters alone, and what begins as a call or a member of an object, are code.
  const isCode = /^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$]|[([]|::|->)|^[A-Za-z_$]+$/.test(value);
  return isSecret(value, isCode ? { ...measures.random, length: 10, surprise: 3 } : measure);
}

/** Spans in order, none of which overlap. */
function joined(spans: readonly Span[]): readonly Span[] {
  const result: Span[] = [];
  for (const span of spans.toSorted((one, other) => one.start - other.start || other.end - one.end)) {
    const last = result.at(-1);
    if (last && span.start < last.end)
      result[result.length - 1] = { start: last.start, end: Math.max(last.end, span.end) };
    else if (span.end > span.start) result.push(span);
  }
  return result;
}

/** Reads private keys and other encoded data of several lines. */
class KeyReader {
  #isInKey = false;
  #isInOther = false;
  #wasFull = false;

  /** The spans of a line that is part of a key. */
  read(line: string): readonly Span[] | undefined {
    const isMark = line.includes("-----");
    const begin = isMark && keyBegin.exec(line);
    if (begin) {
      this.#isInKey = !keyEnd.test(line);
      return bodyAfter(line, begin.index + begin[0].length);
    }
    if ((isMark && keyEnd.test(line)) || line.startsWith("@@ ")) {
      this.#isInKey = false;
      return undefined;
    }
    if (isMark && /-----(?:BEGIN|END) /.test(line)) this.#isInOther = line.includes("-----BEGIN ");
    const data = keyLine.exec(line)?.[1];
    if (this.#isInKey) {
      this.#isInKey = data !== undefined || /^[+\- ]?\s*(?:[A-Z][\w-]{1,30}: .*)?$/.test(line);
      return data === undefined ? undefined : spanOf(line, data);
    }
    // A hash of lines of digits is none.
    const isFull =
      encodedLine.test(line) &&
      !this.#isInOther &&
      !/^[\da-f]+$/i.test(data ?? "") &&
      isSecret(data ?? "", measures.random);
    const isEnd = this.#wasFull && data !== undefined && encodedEnd.test(line);
    this.#wasFull = isFull;
    return data !== undefined && (isFull || isEnd) ? spanOf(line, data) : undefined;
  }
}

/** What of a key stands in the line of its beginning. */
function bodyAfter(line: string, start: number): readonly Span[] {
  const [body = ""] = /^(?:\\+[nr]|[A-Za-z0-9+/=\s:,])*/.exec(line.slice(start)) ?? [];
  return body.length < 20 ? [] : [{ start, end: start + body.length }];
}

function spanOf(line: string, part: string): readonly Span[] {
  const start = line.indexOf(part);
  return [{ start, end: start + part.length }];
}
