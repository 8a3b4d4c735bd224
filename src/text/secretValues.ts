import { isPhrase, isSecret, type Measure, measures } from "./isSecret.ts";

/** A part of a line, from `start` up to but excluding `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A name that says what its value is. */
export interface Name extends Span {
  readonly measure: Measure;
  /** Where a word behind the name ends at the latest. */
  readonly limit: number;
}

/** The longest value that is looked at: what is longer is one in parts. */
const longestValue = 4_000;

const opening = /[rbfuRBFU@$]{0,2}(\\{0,8})("""|'''|["'`])/y;

/** Where a match of a sticky pattern ends. */
export function endOf(pattern: RegExp, line: string, start: number): number | undefined {
  pattern.lastIndex = start;
  return pattern.test(line) ? pattern.lastIndex : undefined;
}

/** The content of the string that starts here; its end may be in another line. */
export function stringAt(line: string, from: number): Span | undefined {
  opening.lastIndex = from;
  const match = opening.exec(line);
  if (!match) return undefined;
  const start = opening.lastIndex;
  const close = `${match[1] ?? ""}${match[2] ?? ""}`;
  const rest = line.slice(start, start + longestValue);
  let end = rest.indexOf(close);
  while (end > 0 && rest[end - 1] === "\\" && !close.startsWith("\\")) end = rest.indexOf(close, end + 1);
  return { start, end: start + (end < 0 ? rest.length : end) };
}

/** A word without quotation marks. In a line of settings of its own, it has whatever characters it likes. */
export function wordAt(line: string, start: number, isWholeLine = false, limit = Infinity): Span | undefined {
  const rest = line.slice(start, Math.min(limit, start + longestValue));
  const [text = ""] = (isWholeLine ? /^[^\s"'`]+/ : /^[^\s"'`,;&<>(){}[\]]+/).exec(rest) ?? [];
  return text === "" ? undefined : { start, end: start + text.length };
}

/** The text of an element. */
export function textAt(line: string, start: number): Span {
  const end = line.slice(start, start + longestValue).search(/<|\]\]>/);
  return { start, end: end < 0 ? Math.min(line.length, start + longestValue) : start + end };
}

/** The value that starts here, if it is a secret: a string, the words of a wallet, or else a word. */
export function valueAt(
  line: string,
  start: number,
  measure: Measure,
  isWhole = false,
  limit?: number,
): readonly Span[] {
  const string = stringAt(line, start);
  if (string) return isSecret(line.slice(string.start, string.end), measure) ? [string] : [];
  const rest = line.slice(start, start + 250).trimEnd();
  if (measure === measures.password && isPhrase(rest)) return [{ start, end: start + rest.length }];
  return secretIn(line, measure, wordAt(line, start, isWhole, limit));
}

/** The word, if it is a secret. */
export function secretIn(line: string, measure: Measure, word: Span | undefined): readonly Span[] {
  return word && isBareSecret(line.slice(word.start, word.end), measure) ? [word] : [];
}

/** Whether a value without quotation marks is a secret, and not a number, a mark of a format, a name, or a call. */
function isBareSecret(value: string, measure: Measure): boolean {
  if (/^(?:[&*!|>@[({]|[-+]?0x[\da-f_]{1,16}n?$)/i.test(value)) return false;
  // Letters alone, and what begins as a call or a member of an object, are code.
  const isCode =
    measure !== measures.login && /^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$]|[([]|::|->)|^[A-Za-z_$]+$/.test(value);
  return isSecret(value, isCode ? { ...measures.random, length: 10, surprise: 3 } : measure);
}

/** Whether a name is itself a value, as in `name: DB_PASSWORD`. */
export function isNamed(line: string, { start }: Name): boolean {
  return /(?:\b(?:name|key|id|property|parameter|variable|field|setting|param)\w{0,5}\\{0,8}["']?\s{0,4}(?:[:=]\s{0,4})?\\{0,8}["']?|<(?:key|name)>)$/i.test(
    line.slice(Math.max(0, start - 100), start).replace(/[\w.-]*$/, ""),
  );
}
