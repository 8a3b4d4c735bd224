import { isPhrase, isSecret, type Measure, measures, secretWord } from "./isSecret.ts";

/** A part of a line, from `start` up to but excluding `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A name that says what its value is. */
export interface Name extends Span {
  readonly measure: Measure;
  /** Where the next name begins, and what follows is that one's. */
  readonly limit: number;
}

/** The longest value that is looked at, how far from its name it may stand, and how many words and strings may be between. */
const longestValue = 4_000;
const farthest = 300;
const mostBetween = 12;

/** A string that is hardly anything else than a password, in a line that speaks of one. */
const distinct: Measure = { surprise: 3.5, length: 8, density: 0.2 };

const opening = /(?:[rbfuNRBFU@$]{1,2}|%[qQwW]?(?=[({[|]))?(\\{0,8})("""|'''|["'`]|(?<=%[qQwW]?)[({[|])/y;
/** What ends a name, and a string. */
const closing =
  /\\{0,8}["'`]{0,3}(?:\[?\]["'`]?|\}(?=\s{0,8}=))?\)?[!?]?(?:\*\*|__)?(?:\s(?:\(\w{1,20}\)|\d{1,2})(?=:))?/y;
const quote = /\\{0,8}["'`]{1,3}/y;
/** What stands between a name, words, and values: signs, tags, anchors, and what says that a value comes. */
const gap =
  /(?:<!\[CDATA\[|<\/?[\w:.-]{1,40}>|[&!][\w!/.:-]{1,40}(?=\s)|(?<=\s)(?:is|was|to|by|as|with)(?=:?\s)|\|\|=?|\{ get; (?:set|init); \}|\+=|[\s,:=：>?!*~()<[\]{-]|(?<=\s)\||\|(?=[\s|])|&&?|\$\{\w{1,40}:?[-=]|[是为]){0,40}/iy;
/** What makes a word or a string before it a key. */
const assign = /\s{0,8}(?:=>|:(?![:\w/])|=(?!=))/y;
/** A key that says that another one names its value. */
export const valueKey = /(?:value|default|content|data|example)\w{0,5}$/i;

/** Where a match of a sticky pattern ends. */
export function endOf(pattern: RegExp, line: string, start: number): number | undefined {
  pattern.lastIndex = start;
  return pattern.test(line) ? pattern.lastIndex : undefined;
}

/** The secrets that a name in this line governs: the value that follows it, whatever quotation marks, signs, and types stand between. */
export function valuesOf(line: string, name: Name): readonly Span[] {
  const close = endOf(closing, line, name.end) ?? name.end;
  const found = valuesFrom(line, close, name);
  if (found.length > 0) return found;
  const text = isTag(line, name, "") ? endOf(/(?:\s[^<>]{0,200})?>\s{0,20}/y, line, close) : undefined;
  const inside = text === undefined ? [] : secretIn(line, name.measure, textAt(line, text), true);
  if (inside.length > 0 || !isNamed(line, name)) return inside;
  const from = Math.max(0, name.start - farthest);
  const before = /^.*(?<!\w)\w{0,20}(?:value|default|content|data)\w{0,5}\\{0,8}["']?\s{0,4}[:=]\s{0,4}/i.exec(
    line.slice(from, name.start),
  );
  if (!before) return found;
  const start = from + before[0].length;
  return /[<>{}]/.test(line.slice(stringAt(line, start)?.end ?? start, name.start))
    ? found
    : valueAt(line, start, name.measure);
}

/** Reads words and strings from here on, up to a key of its own or another name. */
function valuesFrom(line: string, from: number, name: Name): readonly Span[] {
  const { measure } = name;
  const found: Span[] = [];
  let [at, signs, words, before] = [from, "", 0, ""];
  // Whether nothing but signs was in between, whether a string here is the name's value, and whether it is that of another key.
  let [isDirect, isNear, isSkipped] = [true, true, false];
  let isName: boolean | undefined;
  for (let count = 0; count < mostBetween && at - from < farthest; count += 1) {
    const start = endOf(gap, line, at) ?? at;
    const sign = line.slice(at, start);
    if (/\s--?$/.test(sign)) {
      // An option of a command, before the value.
      at = wordAt(line, start, "token")?.end ?? line.length;
      continue;
    }
    signs += sign;
    if (start >= Math.min(line.length, name.limit) || start === name.end || (isName === true && /[<>{}]/.test(sign)))
      break;
    if (words > 0) isNear = /\?\?|\|\||\?:|(?<!=)=(?!=)/.test(sign) || (sign === "(" && !secretWord.test(before));
    if (words === 0 && /(?<![=-])>\s*(?:<!\[CDATA\[)?$/.test(sign) && isTag(line, name, signs)) {
      return secretIn(line, measure, textAt(line, start), true);
    }
    const string = stringAt(line, start);
    if (!string && isDirect) {
      const spans = bareAt(line, start, name, signs);
      if (spans.length > 0) return [...found, ...spans];
    }
    const token = string ?? wordAt(line, start, "token");
    if (!token) break;
    const end = string ? (endOf(quote, line, token.end) ?? token.end) : token.end;
    const text = line.slice(token.start, token.end);
    const sets = endOf(assign, line, end);
    if (sets !== undefined && !signs.includes("?")) {
      const isType = !string && !/[,(=]/.test(signs) && line.slice(end, sets).endsWith("=");
      if (valueKey.test(text) && (words === 0 || /[:=({,]/.test(signs))) [words, isNear, isDirect] = [0, true, true];
      else if ((isName ??= isNamed(line, name))) isSkipped = true;
      else if (!isType) break;
      at = sets - (isType ? 1 : 0);
      words += isType ? 1 : 0;
      continue;
    }
    [before, isDirect] = [text, false];
    if (isSkipped) isSkipped = false;
    else if (string) {
      if (isNear ? isStringSecret(text, measure, signs) : isFarSecret(text, measure)) found.push(string);
      isNear &&= /[=:[{]/.test(signs);
    } else words += 1;
    at = end;
  }
  return found;
}

/** Whether the text of an element begins here, unlike in `Promise<Token>`. */
export function isTag(line: string, { start }: Name, signs: string): boolean {
  if (/<\/?[\w:.-]+>\s*$/.test(signs)) return true;
  const before = line.slice(Math.max(0, start - 200), start);
  return before.includes("<") && /(?:^|[\s>;"'+|])<[^<>]*$/.test(before);
}

/** A string beside the name: where only a blank is between, what is quoted may be a word. */
function isStringSecret(text: string, measure: Measure, signs: string): boolean {
  if (/^[\s[(]*$/.test(signs) && !/[\d!#$%^&*@]/.test(text) && !isPhrase(text)) return false;
  return isSecret(text, measure);
}

/** A string farther from the name. */
function isFarSecret(text: string, measure: Measure): boolean {
  const far = measure === measures.password ? distinct : measures.random;
  return /\d/.test(text) && /^[\w+/=.~!@#$%^&*?-]{8,}$/.test(text) && isSecret(text, far);
}

/** A value without quotation marks: behind a sign such as `=`, of an option, or in a line of settings. */
function bareAt(line: string, at: number, { start, end, measure }: Name, signs: string): readonly Span[] {
  const isLine = start < 200 && line.length < 5_000;
  const isSaid = /\s(?:is|was)\s$/.test(signs);
  if (isSaid && !/^\S*\d/.test(line.slice(at, at + 100))) return [];
  if (isSaid || /[:=：是为]|\|\s|<-/.test(signs)) {
    const bytes = /^(?:\s*\d{1,3},){31}/.test(line.slice(at, at + 400))
      ? /^[\d\s,]+/.exec(line.slice(at, at + longestValue))
      : null;
    if (bytes) return [{ start: at, end: at + bytes[0].length }];
    const isAlone =
      isLine &&
      configured.test(line.slice(0, start)) &&
      /^\S+(?:\s+[#;].*|\s*\\)?\s*$/.test(line.slice(at)) &&
      !/[,;({[]$/.test(line.trimEnd());
    return valueAt(line, at, measure, isAlone, isAlone ? !/\s=/.test(signs) : /^=$|\|\s*$/.test(signs));
  }
  const isOption =
    (line[start] === "-" && line[start - 1] !== "-") ||
    (isLine && /^\s*(?:ENV|ARG|setenv|set(?: -\w+)+)\s+$/.test(line.slice(0, start))) ||
    (measure === measures.password && isLine && /^[+\- ]?\s*[\w.-]+\s+\S+$/.test(line));
  if (isOption && /^\s+$/.test(signs)) return valueAt(line, at, measure, false, true);
  const word = /^\s+$/.test(signs) && line.slice(start, end) !== "pass" ? wordAt(line, at) : undefined;
  const text = line.slice(word?.start, word?.end);
  const isRandom =
    word && (/^[^=|]*[\d!#%*@][^=|]*={0,2}$/.test(text) || (measure === measures.password && isPhrase(text)));
  return isRandom ? secretIn(line, measure === measures.password ? measure : measures.random, word) : [];
}

const configured =
  /^[+\- ]?\s*(?:[-?]\s+)?(?:(?:export|set|setenv|env|arg|declare|env\s+set)\s+(?:-\w+\s+)*|Environment=|\$env:|\/\/[\w./:@-]{1,100}:)?["']?[\w./:-]*$/i;

const closingOf: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };

/** The content of the string that starts here; its end may be in another line. */
export function stringAt(line: string, from: number): Span | undefined {
  opening.lastIndex = from;
  const match = opening.exec(line);
  if (!match) return undefined;
  const start = opening.lastIndex;
  const close = (match[1] ?? "") + (closingOf[match[2] ?? ""] ?? match[2] ?? "");
  const rest = line.slice(start, start + longestValue);
  let end = rest.indexOf(close);
  while (end > 0 && rest[end - 1] === "\\" && !close.startsWith("\\")) end = rest.indexOf(close, end + 1);
  return { start, end: start + (end < 0 ? rest.length : end) };
}

/** What a word without quotation marks has: also signs in a value, and anything in a line of settings of its own. */
const wordPatterns = {
  token: /[^\s"'`,;&<>(){}[\]:=|]{1,4000}/y,
  value: /[^\s"'`,;&<>(){}[\]]{1,4000}/y,
  line: /[^\s"'`]{1,4000}/y,
};

/** The word that starts here. */
export function wordAt(line: string, start: number, kind: keyof typeof wordPatterns = "value"): Span | undefined {
  const end = endOf(wordPatterns[kind], line, start);
  return end === undefined ? undefined : { start, end };
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
  isText = false,
): readonly Span[] {
  const string = stringAt(line, start);
  if (string) return isSecret(line.slice(string.start, string.end), measure) ? [string] : [];
  const rest = line.slice(start, start + 250).trimEnd();
  if (measure === measures.password && isPhrase(rest)) return [{ start, end: start + rest.length }];
  return secretIn(line, measure, wordAt(line, start, isWhole ? "line" : "value"), isText);
}

/** The word, if it is a secret. */
export function secretIn(line: string, measure: Measure, word: Span | undefined, isText = false): readonly Span[] {
  return word && isBareSecret(line.slice(word.start, word.end), measure, isText) ? [word] : [];
}

/** Whether a value without quotation marks is a secret, and not a number, a mark of a format, a name, or a call. */
function isBareSecret(value: string, measure: Measure, isText: boolean): boolean {
  if (/^(?:[&*!|>@[(]|\{(?![\w+/]{16,}=*\})|[-+]?0x[\da-f_]{1,16}n?$)/i.test(value)) return false;
  // Letters alone, and what begins as a call or a member of an object, are code.
  const isCode =
    measure !== measures.login &&
    !(isText && /\d/.test(value)) &&
    /^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$]|[([]|::|->)|^[A-Za-z_$]+$/.test(value);
  return isSecret(value, isCode ? { ...measures.random, length: 10, surprise: 3 } : measure);
}

/** Whether a name is itself a value, as in `name: DB_PASSWORD`. */
export function isNamed(line: string, { start }: Name): boolean {
  const before = line.slice(Math.max(0, start - 100), start);
  return (
    /[:="'>]/.test(before) &&
    /(?:\b(?:name|key|id|property|parameter|variable|field|setting|param)\w{0,5}\\{0,8}["']?\s{0,4}(?:[:=]\s{0,4}\\{0,8}["']?|\\{0,8}["'])|<[\w-]{0,20}(?:key|name)>)$/i.test(
      before.replace(/[\w.-]*$/, ""),
    )
  );
}
