import { harmlessValue, secretForms, secretNames, secretValues } from "./secretForms.ts";
import { withoutKeys } from "./withoutKeys.ts";

/** What stands in place of a secret. */
export const secretMark = "[secret removed]";

const blockBegin = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/;
const blockEnd = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/;

/** Strings in code, with their quotation marks; the end may be on another line. Then those inside of other strings. */
const quotedStrings: readonly RegExp[] = [
  /(?<![\w\\])(?:[rbfu@$]{0,2})("""|'''|["'`])((?:\\.|[^\\]){1,4000}?)(?:\1|$)/gi,
  /\\(["'])([^"'\\]{1,4000})(?:\\\1|$)/g,
];

/** A line of nothing but encoded data, as in a key of which a diff shows only the middle. */
const encoded = /^[+\- ]?\s*["'`]?[A-Za-z0-9+/]{40,}={0,2}(?:\\n)?["'`]?[,;+]?\s*$/;

/** The last line of such data, which is shorter. */
const encodedEnd = /^[+\- ]?\s*["'`]?[A-Za-z0-9+/]{2,}={0,2}(?:\\n)?["'`]?[,;+]?\s*$/;

/**
 * Removes what looks like a secret from lines of a repository: keys of known forms, values of names such as `password`,
 * private keys, and encoded data. The first character of a line stays, so that a diff is still one.
 */
export function maskLines(lines: readonly string[]): readonly string[] {
  let isInKey = false;
  let wasFull = false;
  return lines.map((line) => {
    const isFull = encoded.test(line);
    const isEncoded = isFull || (wasFull && encodedEnd.test(line));
    wasFull = isFull;
    const isBegin = blockBegin.test(line);
    const isEnd = blockEnd.test(line);
    if (line.startsWith("@@ ")) isInKey = false;
    const isKey = isInKey || isBegin || isEnd;
    isInKey = (isInKey || isBegin) && !isEnd;
    return isKey || isEncoded ? `${/^[+\- ]/.exec(line)?.[0] ?? ""}${secretMark}` : maskText(line);
  });
}

/** Removes what looks like a secret from one line. */
export function maskText(line: string): string {
  const formless = secretForms.reduce((text, form) => text.replace(form, secretMark), line);
  const unquoted = secretValues.reduce(
    (text, form) =>
      text.replace(form, (found, name: string, value: string) =>
        value.startsWith("[secret") || harmlessValue.test(value) ? found : `${name}${secretMark}`,
      ),
    formless,
  );
  return withoutKeys(withoutQuoted(unquoted));
}

/**
 * Removes the strings that follow a name such as `password`, also those that are not its value: which one is, depends on the
 * language. Words that it is compared with, and paths of imports, stay.
 */
function withoutQuoted(line: string): string {
  const found = secretNames.map((name) => line.search(name)).filter((index) => index >= 0);
  if (found.length === 0) return line;
  const name = Math.min(...found);
  return quotedStrings.reduce(
    (text, form) =>
      text.replace(form, (whole: string, open: string, value: string, index: number) => {
        const isWord =
          /^[a-z_ -]*$/i.test(value) && /(?:[=!]==?|\bcase)\s*$/.test(text.slice(Math.max(0, index - 20), index));
        const isPath = /\b(?:from|import|require\()\s*$/.test(text.slice(Math.max(0, index - 20), index));
        const isNotSecret = index < name || value.trim().length < 4 || value.includes(secretMark) || isWord || isPath;
        return isNotSecret ? whole : whole.replace(value, () => secretMark);
      }),
    line,
  );
}
