import { indentOf } from "../../text/lines.ts";
import type { Language } from "../languages.ts";

/** What brackets, strings and comments of a text leave open. */
export interface Brackets {
  /** The indentation of the lines whose brackets are still open. */
  readonly stack: readonly string[];
  /** How many brackets were closed that the text did not open. */
  readonly closed: number;
  /** What ends the string or comment that the text ends in; empty in code, a line break in a comment of one line. */
  readonly until: string;
  /** Where the text left each depth for the last time; at its start the depth is 0. */
  readonly left: ReadonlyMap<number, number>;
  /** The lines that start in a string or comment. */
  readonly inText: ReadonlySet<number>;
}

/** How far a line is looked at, in characters. */
const longest = 300;

/** Reads the brackets of a text that starts in a string or comment ending with `start`, or in code. */
export function readBrackets(text: string, language: Language, start = ""): Brackets {
  const stack: string[] = [];
  const left = new Map<number, number>();
  const inText = new Set<number>();
  let [closed, depth, line, lineStart] = [0, 0, 0, 0];
  let until = start;
  let indent: string | undefined;
  const { brackets = "()[]{}" } = language;
  for (let index = 0; index < text.length; index += 1) {
    const char = text[index] ?? "";
    if (char === "\n") {
      if (until === "\n" || (until.length === 1 && until !== "`")) until = "";
      [line, lineStart, indent] = [line + 1, index + 1, undefined];
      if (until !== "") inText.add(line);
    } else if (until !== "") {
      if (char === "\\" && until !== "*/" && text[index + 1] !== "\n") index += 1;
      else if (text.startsWith(until, index)) {
        index += until.length - 1;
        until = "";
      }
    } else if (char !== " " && char !== "\t") {
      const opened = openedText(text, index, language);
      if (opened) {
        until = opened.until;
        index += opened.length - 1;
      } else if ("([{".includes(char) && brackets.includes(char)) {
        indent ??= indentOf(contentOf(text.slice(lineStart, lineStart + longest)));
        stack.push(indent);
        depth += 1;
      } else if (")]}".includes(char) && brackets.includes(char)) {
        const opener = stack.pop();
        if (opener === undefined) closed += 1;
        // What is opened next on this line belongs to the line that opened this.
        else indent = opener;
        left.set(depth, index);
        depth -= 1;
      }
    }
  }
  return { stack, closed, until, left, inText };
}

/** The string or comment that starts at a place in code: what ends it, and the length of its start. */
function openedText(
  text: string,
  index: number,
  { longTexts, lineComments, quotes }: Language,
): { readonly until: string; readonly length: number } | undefined {
  const char = text[index] ?? "";
  for (const [open, until] of longTexts) if (text.startsWith(open, index)) return { until, length: open.length };
  for (const mark of lineComments)
    if (text.startsWith(mark, index) && (mark !== "#" || index === 0 || /\s/.test(text[index - 1] ?? "")))
      return { until: "\n", length: mark.length };
  const character = char === "'" ? /^'(?:[^'\\\n]|\\.)'/.exec(text.slice(index, index + 4))?.[0] : undefined;
  if (character !== undefined) return { until: "", length: character.length };
  if (!quotes.includes(char)) return undefined;
  return { until: char, length: 1 };
}

/** A line with the indentation of the lines that belong to it, rather than of the star, dash or operator before it. */
export function contentOf(line: string): string {
  return line.replace(/^(\s*) \*/, "$1*").replace(/^(\s*)(?:- (?=\S+: )|[|?:] (?=.*[{([]\s*$)|& (?=[{(]\s*$))/, "$1  ");
}
