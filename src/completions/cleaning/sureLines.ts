import { indentOf } from "../../text/lines.ts";
import type { Fitter } from "./fit.ts";
import type { Place } from "./place.ts";

/** Lines after which another one of the same level can hardly follow in Python, or that belong to an outer level. */
const ends = /^\s*(?:return|raise|break|continue|pass)\b/;
const outer = /^\s*(?:else|elif|except|finally|case|def|class|async def|@)\b/;

/** Ends of lines whose expression goes on in the next one, which is then deeper. */
const goesOn = /(?:[^\w\s][=?+|&]|\s[=?+*]|:)\s*$/;
/** What opens and closes blocks in languages that do it with words. */
const opens = /(?:\b(?:do|then|else|begin|in|of)|\))\s*$/;
const closes = /^\s*(?:done|fi|esac|end|else|elif|elsif|when|rescue|;;)/;

/** Whether a line of Python is the last of its level, and whether one belongs to an outer level. */
export const endsLevel = (line: string): boolean => ends.test(line);
export const startsOuter = (line: string): boolean => outer.test(line);

/** The answer up to the first line whose indentation cannot be right. `isFlat` says that the model gave none. */
export function sureLines(answer: string, isFlat: boolean, place: Place, fitter: Fitter): string {
  const lines = answer.split("\n");
  const first = lines[0] ?? "";
  const scanner = fitter.scanner().feed(first);
  const hasWords = place.syntax.lineComments.some((mark) => mark !== "//") && place.syntax.layout === "brackets";
  const isByLevel = place.syntax.layout === "colons" || place.syntax.layout === "yaml";
  let last = widthOf(place.linePrefix.trim() === "" ? place.linePrefix + first : place.linePrefix, fitter.unit);
  let before = first;
  for (let at = 1; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    const isText = scanner.isInLongText;
    const known = scanner.indentFaults;
    scanner.feed(`\n${line}`);
    if (line.trim() === "") continue;
    const width = widthOf(line, fitter.unit);
    const isJump = !isText && before.trim() !== "" && width - last > fitter.unit && !/[\\,]$/.test(before.trimEnd());
    const isLost =
      isFlat &&
      !isText &&
      (goesOn.test(before) ||
        (isByLevel && (ends.test(before) || outer.test(line) || lines[at - 1]?.trim() === "")) ||
        (hasWords && (opens.test(before) || closes.test(line))));
    if (scanner.indentFaults > known || isJump || isLost) return lines.slice(0, at).join("\n").trimEnd();
    last = width;
    before = line;
  }
  return answer;
}

/** The width of a line's indentation in columns, of which a tab has as many as a block is indented. */
export function widthOf(line: string, unit: number): number {
  return indentOf(line).replaceAll("\t", " ".repeat(unit)).length;
}
