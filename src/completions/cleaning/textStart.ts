import type { Syntax } from "./syntax.ts";

const longestRegExp = 500;
/** A character where strings have double quotation marks. */
const character = /^'(?:[^\\'\n]{1,2}|\\[^\n']{1,8}|\\')'/;

/** The comment or string that starts at a place in code, and what ends it. */
export function textStart(
  { lineComments, longTexts, quotes }: Syntax,
  text: string,
  index: number,
  char: string,
): { readonly until: string; readonly length: number; readonly spansLines: boolean } | undefined {
  for (const [open, until] of longTexts)
    if (text.startsWith(open, index)) return { until, length: open.length, spansLines: true };
  for (const mark of lineComments) {
    const isComment = text.startsWith(mark, index) && (mark !== "#" || index === 0 || /\s/.test(text[index - 1] ?? ""));
    if (isComment) return { until: "\n", length: mark.length, spansLines: false };
  }
  const isQuote = quotes.includes(char)
    ? char !== "'" || !isApostrophe(text, index)
    : char === "'" && quotes !== "" && character.test(text.slice(index, index + 12));
  return isQuote ? { until: char, length: 1, spansLines: false } : undefined;
}

/** Whether a single quotation mark starts no string, as in words. */
function isApostrophe(text: string, index: number): boolean {
  const near = text.slice(index + 1, index + 300);
  const lineEnd = near.indexOf("\n");
  const end = near.indexOf("'");
  return lineEnd >= 0 && (end < 0 || end > lineEnd);
}

/** The end of the regular expression that starts at a place in code; `undefined` if it does not end on the line. */
export function endOfRegExp(text: string, start: number): number | undefined {
  let isClass = false;
  for (let index = start + 1; index < Math.min(text.length, start + longestRegExp); index += 1) {
    const char = text[index];
    if (char === "\n") return undefined;
    if (char === "\\") index += 1;
    else if (char === "[") isClass = true;
    else if (char === "]") isClass = false;
    else if (char === "/" && !isClass) return index + 1;
  }
  return undefined;
}

/** The end of the line that a place is on. */
export function endOfLine(text: string, index: number): number {
  const end = text.indexOf("\n", index);
  return end < 0 ? text.length : end;
}
