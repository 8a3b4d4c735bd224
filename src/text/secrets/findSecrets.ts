import { CommandReader } from "./commandReader.ts";
import { PrivateKeyReader } from "./privateKeyReader.ts";
import {
  isForm,
  type Measure,
  measures,
  nameClasses,
  namePart,
  otherName,
  secretForms,
  secretNoun,
} from "./secretForms.ts";
import { LineReader, type OnSecrets } from "./lineReader.ts";
import { mergeSpans, type Name, type TextSpan, valuesOf } from "./secretValues.ts";

/** Maximum length of a name, in characters. */
const maxNameLength = 60;

/**
 * Finds the secrets in the lines of a file or a diff: values in a form that only secrets have, or values that are random
 * enough for their name. Placeholders such as `${PASSWORD}` or `changeme` are not secrets, and neither are names, types,
 * numbers and calls. Linear time.
 */
export function findSecrets(lines: readonly string[]): readonly (readonly TextSpan[])[] {
  const [keys, commands] = [new PrivateKeyReader(), new CommandReader()];
  const found: (readonly TextSpan[])[] = lines.map(() => none);
  const add: OnSecrets = (index, spans) => {
    if (spans.length > 0) found[index] = mergeSpans([...(found[index] ?? none), ...spans]);
  };
  const others = new LineReader(lines, add);
  for (const [index, line] of lines.entries()) {
    if (line.length < 3) continue;
    add(index, [...keys.read(line), ...commands.read(line), ...formSpans(line)]);
    others.read(index);
    const names = secretNamesIn(line);
    const spans: TextSpan[] = [];
    let end = 0;
    for (const name of names) {
      if (name.start < end) continue;
      spans.push(...valuesOf(line, name));
      end = spans.at(-1)?.end ?? end;
    }
    add(index, spans);
    const own = names.findLast(({ measure }) => measure !== measures.random) ?? names.at(-1);
    if (own && end <= own.end) others.follow(index, own);
  }
  return found;
}

/** How much is read between two names, and after one, in characters. */
const maxGap = 60;
/** What is between a name and a word in its value that could be another name, as in `password=MyPass123!`. */
const insideValue =
  /^(?:["'`\])}]{0,3}\s{0,4}(?:=>|[:=：是为])|\s{1,4}(?:is|was)(?=\s)|(?=\s))\s{0,4}(?:[^\s:="'`,;&<>(){}[\]-][^\s:="'`,;&<>(){}[\]]{0,15})?$/;
/** What follows a name that has a value of its own. */
const beforeValue = /^(?:["'`\])]{0,3}\s{0,8}(?:=>|[:=：是为(|<[])|\s+["'`$-])/;

const none: readonly TextSpan[] = [];

function formSpans(line: string): readonly TextSpan[] {
  // Unlike `matchAll`, `search` does not copy the pattern, which takes most of the time.
  const found = secretForms.filter(([pattern]) => line.search(pattern) >= 0);
  return found.flatMap(([pattern, measure]) =>
    Array.from(line.matchAll(pattern), (match) => {
      const value = match[1] ?? match[0];
      const start = match.index + match[0].lastIndexOf(value);
      return { start, end: start + value.length };
    }).filter(({ start, end }) => isForm(line.slice(start, end), measure)),
  );
}

/** The names of secrets in a line. A value is looked for up to the next name; that of a strong name, up to the next strong one. */
function secretNamesIn(line: string): readonly Name[] {
  if (line.search(secretNoun) < 0) return [];
  const names: Name[] = [];
  let last = 0;
  for (const { index, 0: noun } of line.matchAll(secretNoun)) {
    if (index < last) continue;
    let [start, end] = [index, index + noun.length];
    while (start > Math.max(last, index - maxNameLength) && isNamePart(line.charCodeAt(start - 1))) start -= 1;
    while (end < index + maxNameLength && isNamePart(line.charCodeAt(end))) end += 1;
    last = end;
    // A closing tag, a namespace, or the mark of a key.
    const isMark = line.startsWith("</", start - 2) || /^-{4}|::\w$/.test(line.slice(end - 4, end + 3));
    const measure = isMark ? undefined : measureOf(line.slice(start, end));
    if (measure) names.push({ start, end, measure, limit: line.length });
  }
  let [next, nextStrong] = [line.length, line.length];
  return names
    .toReversed()
    .map((name, index) => {
      const isWeak = name.measure === measures.random;
      const own = { ...name, limit: isWeak ? next : nextStrong };
      // It ends no value, but is a part of one.
      const isValue = insideValue.test(
        line.slice(names.at(-2 - index)?.end ?? name.start, name.start).slice(0, maxGap),
      );
      if (isValue && !beforeValue.test(line.slice(name.end, name.end + maxGap))) return own;
      next = name.start;
      if (!isWeak) nextStrong = name.start;
      return own;
    })
    .toReversed();
}

/** Whether a character is part of a name. So are Chinese characters, except for those that mean “is”. */
function isNamePart(code: number): boolean {
  return code < 128
    ? /[\w$-]/.test(String.fromCharCode(code))
    : code >= 0x4e00 && code <= 0x9fff && code !== 0x662f && code !== 0x4e3a;
}

const knownNames = new Map<string, Measure | undefined>();

/** How random the value of a name has to be; `undefined` for names of something else. */
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
