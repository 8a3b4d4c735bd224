import { isPhrase, isSecret, type Measure, measures } from "./secretForms.ts";

/** A part of a line, from `start` up to but excluding `end`. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** Sorts spans, and merges those that overlap. */
export function mergeSpans(spans: readonly TextSpan[]): readonly TextSpan[] {
  const merged: TextSpan[] = [];
  for (const { start, end } of spans.toSorted((one, other) => one.start - other.start)) {
    const last = merged.at(-1);
    if (last && start < last.end) merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, end) };
    else if (end > start) merged.push({ start, end });
  }
  return merged;
}

/** A name whose value may be a secret. */
export interface Name extends TextSpan {
  readonly measure: Measure;
  /** The start of the next name, which governs what follows. */
  readonly limit: number;
}

/** Maximum length of a value, distance between a name and its value, and number of words and strings between them. */
const maxValueLength = 4_000;
const maxDistance = 300;
const maxBetween = 12;

const opening = /(?:[rbfuNRBFU@$]{1,2}|%[qQwW]?(?=[({[|]))?(\\{0,8})("""|'''|["'`]|(?<=%[qQwW]?)[({[|])/y;
/** The end of a name, and of a string. */
const closing =
  /\\{0,8}["'`]{0,3}(?:\[?\]["'`]?|\}(?=\s{0,8}=))?\)?[!?]?(?:\*\*|__)?(?:\s(?:\(\w{1,20}\)|\d{1,2})(?=:))?/y;
const quote = /\\{0,8}["'`]{1,3}/y;
/** The text between a name, words and values: signs, tags, anchors of YAML, and words such as "is". */
const gap =
  /(?:<!\[CDATA\[|<%=|<\/?[\w:.-]{1,40}>|[&!]'?[\w!/.:-]{1,40}(?=\s)|(?<=\s)(?:is|was|to|by|as|with)(?=:?\s)|(?<=[)\]]\s)or(?=\s[bru]?["'])|\|\|=?|\{ get; (?:set|init); \}|\+=|[\s,:=：>?!*~()<[\]{-]|(?<=\s)\||\|(?=[\s|])|&&?|\$\{\w{1,40}:?[-=]|[是为]){0,40}/iy;
/** The sign after a key. */
const assign = /\s{0,8}(?:=>|:(?![:\w/])|=(?!=))/y;
/** A key whose value has its name elsewhere. */
export const valueKey = /(?:value|default|content|data(?!base|set)|example)\w{0,5}$/i;

/** The end of a match of a sticky pattern. */
export function endOf(pattern: RegExp, line: string, start: number): number | undefined {
  pattern.lastIndex = start;
  return pattern.test(line) ? pattern.lastIndex : undefined;
}

/** The secret values of a name in its line, with any quotation marks, signs and types between them. */
export function valuesOf(line: string, name: Name): readonly TextSpan[] {
  const close = endOf(closing, line, name.end) ?? name.end;
  const found = valuesFrom(line, close, name);
  if (found.length > 0) return found;
  const textStart = isTag(line, name, "") ? endOf(/(?:\s[^<>]{0,200})?>\s{0,20}/y, line, close) : undefined;
  const inside = textStart === undefined ? [] : secretIn(line, name.measure, textAt(line, textStart), true);
  if (inside.length > 0 || !isNamed(line, name)) return inside;
  const from = Math.max(0, name.start - maxDistance);
  const before = /^.*(?<!\w)\w{0,20}(?:value|default|content|data)\w{0,5}\\{0,8}["']?\s{0,4}[:=]\s{0,4}/i.exec(
    line.slice(from, name.start),
  );
  if (!before) return found;
  const start = from + before[0].length;
  return valueAt(line, start, name.measure);
}

/** Reads words and strings up to another key or name. */
function valuesFrom(line: string, from: number, name: Name): readonly TextSpan[] {
  const { measure } = name;
  const found: TextSpan[] = [];
  const isInTag = line[name.start - 1] === "<" || /["'`]/.test(line[from - 1] ?? "");
  const isPlural = measure !== measures.random && /[^s]s$/i.test(line.slice(name.start, name.end));
  let [at, signs, isDirect, isMap] = [from, "", true, false];
  for (let count = 0; count < maxBetween && at - from < maxDistance; count += 1) {
    const start = endOf(gap, line, at) ?? at;
    const sign = line.slice(at, start);
    if (/\s--?$/.test(sign)) {
      // An option of a command, before the value.
      at = wordAt(line, start, "token")?.end ?? line.length;
      continue;
    }
    signs += sign;
    // The values of `passwords = { … }` have any key.
    isMap ||= isPlural && /^[^,]*[:=]\s*\{\s*$/.test(signs);
    // After a condition, as in `showPassword ? "eye-off-line" : "eye-line"`, are no values of the name.
    if (start >= Math.min(line.length, name.limit) || /^\s*\?\s/.test(signs)) break;
    if (isDirect && /(?<![=-])>\s*(?:<!\[CDATA\[)?$/.test(sign) && isTag(line, name, signs)) {
      return secretIn(line, measure, textAt(line, start), true);
    }
    const string = stringAt(line, start);
    const isAttribute = isInTag && /^\s+:?$/.test(signs);
    // Code in an attribute, as in `<label for="password" :value="…">`.
    if (!string && isAttribute && signs.endsWith(":")) break;
    if (!string && isDirect) {
      const spans = bareAt(line, start, name, signs);
      if (spans.length > 0) return [...found, ...spans];
    }
    const token = string ?? wordAt(line, start, "token");
    if (!token) break;
    const end = string ? (endOf(quote, line, token.end) ?? token.end) : token.end;
    const sets = endOf(assign, line, end);
    if (sets !== undefined && !/\?|[!=]=/.test(signs)) {
      isDirect = isMap || valueKey.test(line.slice(token.start, token.end));
      // A type may precede the value: `password: string = "…"`. Other attributes and arguments do not.
      const isType =
        !string && !isAttribute && /^[\s:?!&*|]*(?:'\w+\s)?$/.test(signs) && line.slice(end, sets).endsWith("=");
      if (!isDirect && !isType && !isAttribute && !isNamed(line, name)) break;
      at = sets - (isType && !isDirect ? 1 : 0);
      continue;
    }
    const isNear = isDirect || /[=:,({[|?>]/.test(sign);
    isDirect = false;
    if (string && isNear && isStringSecret(line.slice(string.start, string.end), measure, signs)) found.push(string);
    at = end;
  }
  return found;
}

/** Whether a name is in a tag, followed by the text of an element, unlike in `Promise<Token>`. */
function isTag(line: string, { start }: Name, signs: string): boolean {
  if (/<\/?[\w:.-]+>\s*$/.test(signs)) return true;
  const before = line.slice(Math.max(0, start - 200), start);
  return before.includes("<") && /(?:^-?|[\s>;"'+|])<[^<>]*$/.test(before);
}

/** Whether a string is a secret. With only spaces between a name and a string, the string may be a word that is quoted. */
function isStringSecret(text: string, measure: Measure, signs: string): boolean {
  if (/^[\s[(]*$/.test(signs) && !/[\d!#$%^&*@]/.test(text) && !isPhrase(text)) return false;
  return isSecret(text, measure);
}

/** A value without quotation marks: after a sign such as `=`, or as the value of an option or a setting. */
function bareAt(line: string, at: number, name: Name, signs: string): readonly TextSpan[] {
  const { start, measure } = name;
  // A path, as in `$(pwd):/app`, or data in Base64, that has the name by chance.
  const isFolder = /\$[({]?pwd$/i.test(line.slice(Math.max(0, start - 2), name.end));
  if ((signs === "" || isFolder) && /[/+.]/.test(line[at] ?? "")) return [];
  const isLine = start < 200 && line.length < 5_000;
  if (/\s(?:is|was)\s$|[:=：是为]|\|\s|<-/.test(signs)) {
    const end = endOf(bytes, line, at);
    if (end !== undefined) return [{ start: at, end }];
    const isAlone =
      isLine &&
      setting.test(line.slice(0, start)) &&
      /^\S+(?:\s+[#;].*|\s*\\)?\s*$/.test(line.slice(at)) &&
      !/[,;({[]$/.test(line.trimEnd());
    return valueAt(line, at, measure, isAlone, isAlone ? !/\s=/.test(signs) : /^=$|\|\s*$/.test(signs));
  }
  const isOption =
    (line[start] === "-" && line[start - 1] !== "-") ||
    (isLine && /^\s*(?:ENV|ARG|setenv|set(?: -\w+)+)\s+$/.test(line.slice(0, start))) ||
    (isLine && /^[+\- ]?\s*[\w.-]+\s+\S+$/.test(line));
  if (isOption && /^\s+$/.test(signs)) return valueAt(line, at, measure, false, true);
  const word = wordAt(line, at);
  const text = line.slice(word?.start, word?.end);
  // A path, the verb “pass”, or the name of a secret in a command: `kubectl get secret app-signing-cert`.
  const isOther = text.includes("/") || /^pass$|secrets?$/i.test(line.slice(start, name.end));
  const isPassword = measure === measures.password && !isOther;
  const isRandom = word && (/^[^=|]*(?:[\d#%@]|[!*]\w)[^=|]*={0,2}$/.test(text) || (isPassword && isPhrase(text)));
  return isRandom ? secretIn(line, isPassword ? measure : measures.random, word) : [];
}

/** The beginning of a line of settings, up to the name. */
const setting =
  /^[+\- ]?\s*(?:[-?]\s+)?(?:(?:export|set|setenv|env|arg|declare|env\s+set)\s+(?:-\w+\s+)*|Environment=|\$env:|\/\/[\w./:@-]{1,100}:)?["']?[\w./:-]*$/i;

/** A key as the numbers of its bytes. */
const bytes = /(?:\s{0,4}\d{1,3},){31}[\d\s,]{0,4000}/y;

const closingOf: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };

/** The content of the string that starts here. The string may end in another line. */
export function stringAt(line: string, from: number): TextSpan | undefined {
  opening.lastIndex = from;
  const match = opening.exec(line);
  if (!match) return undefined;
  const start = opening.lastIndex;
  const close = (match[1] ?? "") + (closingOf[match[2] ?? ""] ?? match[2] ?? "");
  const rest = line.slice(start, start + maxValueLength);
  let end = rest.indexOf(close);
  while (end > 0 && rest[end - 1] === "\\" && !close.startsWith("\\")) end = rest.indexOf(close, end + 1);
  return { start, end: start + (end < 0 ? rest.length : end) };
}

/** What ends a word without quotation marks. A value may have more signs, and any at the end of a line. */
const wordEnds = {
  token: /[\s"'`,;&<>(){}[\]:=|]|$/g,
  value: /[\s"'`,;<>(){}[\]]|&(?=[&\s"'`]|[\w.%-]{1,40}=|[a-z]{2,4};|$)|$/g,
  line: /[\s"'`]|$/g,
};

/** The end that was found last, by kind, and where the search began: in a long line, it is that of many words. */
const lastEnds = new Map<string, TextSpan & { readonly line: string }>();

/** The word that starts here. */
export function wordAt(line: string, start: number, kind: keyof typeof wordEnds = "value"): TextSpan | undefined {
  let last = lastEnds.get(kind);
  if (last?.line !== line || start < last.start || start > last.end) {
    wordEnds[kind].lastIndex = start;
    last = { line, start, end: wordEnds[kind].exec(line)?.index ?? start };
    lastEnds.set(kind, last);
  }
  const end = Math.min(last.end, start + maxValueLength);
  return end > start ? { start, end } : undefined;
}

/** The text of an element. */
export function textAt(line: string, start: number): TextSpan {
  const end = line.slice(start, start + maxValueLength).search(/<|\]\]>/);
  return { start, end: end < 0 ? Math.min(line.length, start + maxValueLength) : start + end };
}

/** The value that starts here, if it is a secret: a string, a passphrase, or a word. */
export function valueAt(
  line: string,
  start: number,
  measure: Measure,
  isWhole = false,
  isText = false,
): readonly TextSpan[] {
  const string = stringAt(line, start);
  if (string) return isSecret(line.slice(string.start, string.end), measure) ? [string] : [];
  const rest = line.slice(start, start + 250).trimEnd();
  if (measure === measures.password && isPhrase(rest) && isSecret(rest, measure))
    return [{ start, end: start + rest.length }];
  return secretIn(line, measure, wordAt(line, start, isWhole ? "line" : "value"), isText);
}

/** The word, if it is a secret. */
export function secretIn(
  line: string,
  measure: Measure,
  word: TextSpan | undefined,
  isText = false,
): readonly TextSpan[] {
  const value = line.slice(word?.start, word?.end);
  // The name of a function, as in `secret: jwks.expressJwtSecret({`.
  const isCalled = line[word?.end ?? 0] === "(" && /^[A-Za-z_$][\w$.:]*!?$/.test(value);
  return word && !isCalled && isBareSecret(value, measure, isText) ? [word] : [];
}

/** A call, or the beginning of one of a member, as in `randomBytes(32)` and `crypto.randomBytes(`. */
const call = /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*\(.*\)|^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+\(/;

/** Whether a value without quotation marks is a secret, and no number, syntax, name or call. */
function isBareSecret(value: string, measure: Measure, isText: boolean): boolean {
  if (/^(?:[#&*!|<>@[(]|\{(?![\w+/]{16,}=*\})|[-+]?0x[\da-f_]{1,16}n?$|[a-z_$][\w$.:]*!?\([({[]*$)/i.test(value))
    return false;
  // Letters only, and the beginning of a call or a member of an object, are code.
  const isCode =
    measure !== measures.login &&
    !(isText && /\d/.test(value) && !call.test(value)) &&
    /^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$]|[([]|::|->)|^[\p{L}_$]+$/u.test(value);
  return isSecret(value, isCode ? { ...measures.random, length: 10, surprise: 3 } : measure);
}

/** Whether a name is itself a value, as in `name: DB_PASSWORD`. */
export function isNamed(line: string, { start }: Name): boolean {
  const before = line.slice(Math.max(0, start - 100), start);
  return (
    /[:="'>]/.test(before) &&
    /(?:\b(?:name|key|id|property|parameter|variable|field|setting|param)\w{0,5}\\{0,8}["']?\s{0,4}(?:[:=]\s{0,4}\\{0,8}["']?|\\{0,8}["'])|<[\w-]{0,20}(?:key|name)>)$/i.test(
      before.replace(/(?<![\w.-])[\w.-]*$/, ""),
    )
  );
}
