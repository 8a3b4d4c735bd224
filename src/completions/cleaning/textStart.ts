import type { Syntax } from "./syntax.ts";

const longestRegExp = 500;
const tagAt = /<(\/?)([A-Za-z][\w.:-]*)?/y;

/** The comment or string that starts at a place in code, and what ends it. */
export function textStart(
  { lineComments, blockComments, quotes, longQuotes }: Syntax,
  text: string,
  index: number,
  char: string,
): { readonly until: string; readonly length: number } | undefined {
  for (const [open, until] of blockComments) if (text.startsWith(open, index)) return { until, length: open.length };
  for (const mark of lineComments) {
    const isComment = text.startsWith(mark, index) && (mark !== "#" || index === 0 || /\s/.test(text[index - 1] ?? ""));
    if (isComment) return { until: "\n", length: mark.length };
  }
  const quote = longQuotes.find((one) => text.startsWith(one, index)) ?? (quotes.includes(char) ? char : undefined);
  return quote === undefined ? undefined : { until: quote, length: quote.length };
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

/** The name of the tag that starts at a place, and where the name ends. */
export function tagStart(
  text: string,
  index: number,
): { readonly isEnd: boolean; readonly name: string; readonly end: number } {
  tagAt.lastIndex = index;
  const [all = "", slash, name = ""] = tagAt.exec(text) ?? [];
  return { isEnd: slash === "/", name, end: index + all.length };
}

/** The end of the line that a place is on. */
export function endOfLine(text: string, index: number): number {
  const end = text.indexOf("\n", index);
  return end < 0 ? text.length : end;
}
