import { readPlace, type CompletionPlace } from "./cleaning/place.ts";
import { isWord, squeeze, weight } from "./cleaning/overlap.ts";
import { Nesting } from "./cleaning/nesting.ts";
import { Scanner } from "./cleaning/scanner.ts";
import type { PlaceKind } from "./placeKind.ts";

/** Longest block that is asked for, in lines and characters. */
const mostLines = 40;
const longestText = 4_000;
/** How much of the code after the cursor has to come, in characters other than white space. */
const distinctive = 16;

/**
 * Whether the text that has arrived so far holds all that was asked for, so that the request can be aborted: a line,
 * a block that is closed, or text up to the code after the cursor.
 */
export function isWhole(text: string, place: CompletionPlace, kind: PlaceKind): boolean {
  const lines = text.split("\n");
  if (text.length > longestText || lines.length > mostLines) return true;
  const first = lines.findIndex((line) => line.trim() !== "");
  const isFenced = /^\s*(?:```|~~~|<[\w-]+>\s*$)/.test(lines[first] ?? "");
  if (first < 0) return false;
  if (isFenced) return lines.slice(first + 1).some((line) => /^\s*(?:```|~~~|<\/)/.test(line));
  if (reachesAfter(text, place)) return true;
  // A line may be a sentence or repeat what is before the cursor; only code is counted.
  if (kind !== "block") return lines.length - first > 1 && !isPreamble(lines[first] ?? "", place);
  return closesBlock(text, lines, place);
}

/** What was read of the places of the requests under way, since the text for each comes in many pieces. */
const reads = new WeakMap<CompletionPlace, ReturnType<typeof readBefore>>();

function readBefore(place: CompletionPlace): { scanner: Scanner; linePrefix: string; hasBrackets: boolean } {
  const { code, syntax, linePrefix } = readPlace(place);
  const scanner = new Scanner(syntax, 4, new Nesting(code.isWhole, 4)).feed(code.before);
  return { scanner, linePrefix, hasBrackets: syntax.layout === "brackets" };
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

function isPreamble(line: string, { prefix }: CompletionPlace): boolean {
  const current = prefix.slice(-2_000).split("\n");
  const isRepeated = current.some((known) => known.trim() === line.trim() && known.trim() !== "");
  return isRepeated || (/[:：]\s*$/.test(line) && /^\s*(?:here|sure|the|below|certainly|okay)\b/i.test(line));
}

/** Whether the block that the cursor is in ends in the text. */
function closesBlock(text: string, lines: readonly string[], place: CompletionPlace): boolean {
  const read = reads.get(place) ?? readBefore(place);
  reads.set(place, read);
  if (read.hasBrackets) return read.scanner.fork().feed(text).depth < read.scanner.depth;
  const { linePrefix } = read;
  const indents = lines
    .slice(1, -1)
    .filter((line) => line.trim() !== "")
    .map(indentOf);
  return indents.some(
    (indent) => indent < indentOf(linePrefix) || (linePrefix.trim() !== "" && indent <= indentOf(linePrefix)),
  );
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
