import { indentOf, isFilled } from "../text/lines.ts";
import { cleanCompletion } from "./cleanCompletion.ts";
import { isFence } from "./cleaning/fences.ts";
import { Fitter } from "./cleaning/fit.ts";
import { isWord, squeeze, weight } from "./cleaning/overlap.ts";
import { type CompletionPlace, readPlace } from "./cleaning/place.ts";
import { isApology, isIntroduction, isPath, isSentence, isTitle } from "./cleaning/prose.ts";
import { withoutThoughts } from "./cleaning/tags.ts";
import type { PlaceKind } from "./placeKind.ts";

/** Longest answer that is read, in lines and characters, and how many times as far one is read that starts with no code. */
const mostLines = 40;
const longestCode = 4_000;
const further = 3;
/** Longest answer that is read at all, in characters. */
export const longestAnswer = longestCode * further;
/** How much of the code after the cursor has to come, in characters other than white space. */
const distinctive = 16;
/** How far above the cursor lines count as repeated, in characters. */
const near = 4_000;

const tag = /^\s*<[\w-]+>\s*$/;
const closingTag = /^\s*<\/[\w-]+>/;
/** What starts an answer that has code before its end which is not to be inserted: both sides of the cursor, or a diff. */
const envelopeStart =
  /^\s*(?:<[|｜]?(?:fim\W|fim_|PRE\b)|(?:---|\+\+\+|@@) |diff --git |<!\[CDATA\[|\[[A-Z_]{3,20}\]\s*$|<{5,9} )/;
/** What code of one line has and a sentence does not, or a single word. */
const codeLine = /[=(){};[\]<>]|^\s*\S+\s*$/;

/**
 * The part of an answer that holds all that was asked for, so that the request can be aborted: a line, a block that is
 * closed, or text up to the code after the cursor. Only whole lines count; `undefined` for more to come.
 */
export function wholePart(text: string, place: CompletionPlace, kind: PlaceKind): string | undefined {
  const end = text.lastIndexOf("\n");
  if (end < 0) return text.length > longestAnswer ? text : undefined;
  const part = text.slice(0, end);
  const lines = withoutThoughts(part).split("\n");
  const own = withoutRepeated(lines.slice(Math.max(0, lines.findIndex(isFilled))), place);
  const isCode = own !== undefined && startsWithCode(own);
  const times = isCode ? 1 : further;
  if (text.length > longestCode * times || lines.length > mostLines * times) return part;
  if (own?.some(isFilled) !== true) return undefined;
  return (isCode ? isEnoughCode : isEnough)(own, place, kind) ? part : undefined;
}

/** Whether an answer begins with plain code, and not with something that has to be read further, as fences and sentences. */
function startsWithCode(lines: readonly string[]): boolean {
  const line = lines.find(isFilled) ?? "";
  if (isFence(line) || tag.test(line) || envelopeStart.test(line) || /^\s*(?:\*\*|#{2,6} |`)/.test(line)) return false;
  if (isPath(line) || isIntroduction(line) || isSentence(line) || isTitle(line) || isApology(line)) return false;
  return codeLine.test(line) && !/[:：]\s*$/.test(line);
}

function isEnough(lines: readonly string[], place: CompletionPlace, kind: PlaceKind): boolean {
  const opening = lines.findIndex((line) => isFence(line) || tag.test(line) || envelopeStart.test(line));
  if (opening >= 0) {
    const closes = isFence(lines[opening] ?? "") ? isFence : (line: string) => closingTag.test(line);
    return lines.slice(opening + 1).some(closes);
  }
  // Later lines can change how the first one is read. It counts once another line leaves it as it is.
  const said = lines.slice(0, lines.findLastIndex(isFilled) + 1);
  const [before, now] = [said.slice(0, -1), said].map((some) => firstLine(cleanCompletion(some.join("\n"), place)));
  return kind !== "block" && now !== "" && now === before;
}

function isEnoughCode(lines: readonly string[], place: CompletionPlace, kind: PlaceKind): boolean {
  const text = lines.join("\n");
  if (kind === "block") return reachesAfter(text, place) || closesBlock(text, lines, place);
  return lines.some(isFilled) && cleanCompletion(text, place) !== undefined;
}

/** The lines of an answer after those that it repeats from before the cursor; `undefined` while it repeats them. */
function withoutRepeated(lines: readonly string[], { prefix }: CompletionPlace): readonly string[] | undefined {
  const known = prefix.slice(-near).split("\n").map(trimmed);
  const current = known.pop() ?? "";
  const filled = known.filter(isFilled);
  const said = lines.flatMap((line, at) => (isFilled(line) ? [{ text: line.trim(), at }] : []));
  let own: readonly string[] = lines;
  for (let from = 0; from <= filled.length - (current === "" ? 1 : 0); from += 1) {
    const count = filled.length - from;
    if (!said.slice(0, count).every(({ text }, index) => text === filled[from + index])) continue;
    const next = said[count];
    if (next === undefined) return undefined;
    if (own !== lines) continue;
    if (current === "") own = lines.slice(next.at);
    else if (next.text.startsWith(current)) own = [next.text.slice(current.length), ...lines.slice(next.at + 1)];
  }
  return own;
}

/** The first line with text, and the blank ones before it. */
export function firstLine(text = ""): string {
  return /^\s*[^\r\n]*/.exec(text)?.[0] ?? "";
}

function trimmed(line: string): string {
  return line.trim();
}

/** Whether the code after the cursor has come. */
function reachesAfter(text: string, { suffix }: CompletionPlace): boolean {
  const known = squeeze(suffix.slice(0, 400)).text.slice(0, distinctive);
  if (known.length < distinctive || weight(known) < 6) return false;
  const said = squeeze(text);
  const index = said.text.indexOf(known);
  const at = said.at[index];
  return at !== undefined && !(isWord(text[at - 1]) && isWord(text[at]));
}

/** Whether the block that the cursor is in ends in the text. */
function closesBlock(text: string, lines: readonly string[], place: CompletionPlace): boolean {
  const here = readPlace(place);
  const { syntax, linePrefix } = here;
  if (syntax.layout === "brackets") {
    const scanner = new Fitter(here, text).scanner();
    return scanner.fork().feed(text).depth < scanner.depth;
  }
  const least = indentOf(linePrefix).length + (linePrefix.trim() === "" ? 0 : 1);
  return lines.slice(1).some((line) => isFilled(line) && indentOf(line).length < least);
}
