import { indentOf, isFilled } from "../text/lines.ts";
import { cleanCompletion } from "./cleanCompletion.ts";
import { readBrackets } from "./cleaning/brackets.ts";
import { isFence, withoutThoughts } from "./cleaning/envelope.ts";
import { type CompletionPlace, readPlace } from "./cleaning/place.ts";
import { introduces, isProse } from "./cleaning/prose.ts";
import type { PlaceKind } from "./placeKind.ts";

/** Most lines of code that are read, and how many times as far an answer is read that starts with something else. */
const mostLines = 40;
const further = 3;
/** Longest answer that is read, in characters. */
export const longestAnswer = 12_000;
/** How far above the cursor lines count as repeated, in characters. */
const near = 12_000;

/**
 * The part of an answer that holds all that was asked for, so that the request can be aborted: the line, or the block up to
 * where another line changes nothing. Only whole lines count; `undefined` for more to come.
 */
export function wholePart(text: string, place: CompletionPlace, kind: PlaceKind): string | undefined {
  const end = text.lastIndexOf("\n");
  if (text.length > longestAnswer) return text.slice(0, end < 0 ? undefined : end);
  if (end < 0) return undefined;
  const part = text.slice(0, end);
  const lines = withoutThoughts(part).split("\n");
  const isCode = startsWithCode(lines);
  if (repeatsBefore(lines, place)) return undefined;
  if (lines.length > mostLines * (isCode ? 1 : further)) return part;
  const now = asked(cleanCompletion(part, place), kind);
  if (now === "") return undefined;
  if (isCode && kind !== "block") return part;
  const last = lines.findLastIndex(isFilled);
  const before = asked(cleanCompletion(lines.slice(0, last).join("\n"), place), kind);
  return now === before || (kind === "block" && leavesBlock(now, place)) ? part : undefined;
}

/** The first line with text, and the blank ones before it. */
export function firstLine(text = ""): string {
  return /^\s*[^\r\n]*/.exec(text)?.[0] ?? "";
}

function asked(text: string | undefined, kind: PlaceKind): string {
  return kind === "block" ? (text ?? "") : firstLine(text);
}

/** Whether an answer begins with plain code: sentences, fences and tags have to be read further. */
function startsWithCode(lines: readonly string[]): boolean {
  const line = lines.find(isFilled) ?? "";
  return (
    !/^[\w./\\-]+\.\w{1,5}:?$|^\s*(?:<|\[[A-Z_]+\]|\*\*|`|[-+@]{3})/.test(line) &&
    !isFence(line) &&
    !isProse(line) &&
    !introduces(line)
  );
}

/** Whether an answer has said nothing yet but lines from before the cursor. */
function repeatsBefore(lines: readonly string[], { prefix }: CompletionPlace): boolean {
  const known = prefix.slice(-near).split("\n");
  const current = known.pop() ?? "";
  const before = [...known.filter(isFilled), ...(isFilled(current) ? [current] : [])].map((line) => line.trim());
  const said = lines.filter((line) => isFilled(line) && !isFence(line)).map((line) => line.trim());
  const [first] = said;
  if (first === undefined) return false;
  return before.some((line, from) => line === first && said.every((one, at) => one === before[from + at]));
}

/** Whether a text ends the block that the cursor is in: with a bracket, or by its indentation. */
function leavesBlock(text: string, place: CompletionPlace): boolean {
  const { language, linePrefix, open } = readPlace(place);
  const { stack, closed } = readBrackets(text, language, open.until);
  if (language.levels !== "colons") return closed > stack.length;
  const least = indentOf(linePrefix).length + (isFilled(linePrefix) ? 1 : 0);
  return text
    .split("\n")
    .slice(1)
    .some((line) => isFilled(line) && indentOf(line).length < least);
}
