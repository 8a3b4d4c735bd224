import { indentOf } from "../../text/lines.ts";
import type { Language } from "../languages.ts";

/** The brackets, strings and comments that a text leaves open. */
export interface Brackets {
  /** The indentation of the line of each open bracket. */
  readonly indents: readonly string[];
  /** The indexes of the closing brackets that the text does not open. */
  readonly unopened: readonly number[];
  /** The end of the string or comment in which the text ends: empty in code, a line break in a line comment. */
  readonly terminator: string;
}

/** Brackets that belong together. */
export const bracketPairs = ["()", "[]", "{}"] as const;
const allBrackets = bracketPairs.join("");

/** Longest part of a line that is read for its indentation, in characters. */
const longest = 300;

/** Reads the brackets of a text that starts in a string or comment ending with `start`, or in code. */
export function readBrackets(text: string, language: Language, start = ""): Brackets {
  const indents: string[] = [];
  const unopened: number[] = [];
  let lineStart = 0;
  let terminator = start;
  let indent: string | undefined;
  const { brackets = allBrackets, quotes } = language;
  for (let index = 0; index < text.length; index += 1) {
    const char = text[index] ?? "";
    if (char === "\n") {
      if (terminator === "\n" || quotes.includes(terminator)) terminator = "";
      [lineStart, indent] = [index + 1, undefined];
    } else if (terminator !== "") {
      if (char === "\\" && terminator !== "*/" && text[index + 1] !== "\n") index += 1;
      else if (text.startsWith(terminator, index)) {
        index += terminator.length - 1;
        terminator = "";
      }
    } else if (char !== " " && char !== "\t") {
      const opened = openedText(text, index, language);
      if (opened) {
        terminator = opened.terminator;
        index += opened.length - 1;
      } else if ("([{".includes(char) && brackets.includes(char)) {
        indent ??= indentOf(text.slice(lineStart, lineStart + longest));
        indents.push(indent);
      } else if (")]}".includes(char) && brackets.includes(char)) {
        const opener = indents.pop();
        if (opener === undefined) unopened.push(index);
        // The next bracket on this line belongs to the line that opened this one.
        else indent = opener;
      }
    }
  }
  return { indents, unopened, terminator };
}

/** The string or comment that starts at an index in code: its end, and the length of its start. */
function openedText(
  text: string,
  index: number,
  { multiline, lineComments, quotes, hasRegex }: Language,
): { readonly terminator: string; readonly length: number } | undefined {
  const char = text[index] ?? "";
  for (const [open, terminator] of multiline)
    if (text.startsWith(open, index)) return { terminator, length: open.length };
  for (const mark of lineComments)
    if (text.startsWith(mark, index) && (mark !== "#" || index === 0 || /\s/.test(text[index - 1] ?? "")))
      return { terminator: "\n", length: mark.length };
  // A regular expression may contain quotation marks and brackets.
  if (
    char === "/" &&
    hasRegex &&
    /(?:^|[=(,:[!&|?{};>]|\breturn)\s*$/.test(text.slice(Math.max(0, index - 20), index))
  ) {
    const expression = /^\/(?:[^\\/\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\//.exec(text.slice(index, index + longest))?.[0];
    if (expression !== undefined) return { terminator: "", length: expression.length };
  }
  const character = char === "'" ? /^'(?:[^'\\\n]|\\.)'/.exec(text.slice(index, index + 4))?.[0] : undefined;
  if (character !== undefined) return { terminator: "", length: character.length };
  if (!quotes.includes(char)) return undefined;
  return { terminator: char, length: 1 };
}
