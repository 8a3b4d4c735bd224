import { hasText } from "../text/lines.ts";
import { cleanCompletion } from "./cleanCompletion.ts";
import { fencesIn, withoutThoughts } from "./cleaning/envelope.ts";
import type { CursorContext } from "./cleaning/place.ts";
import type { PlaceKind } from "./placeKind.ts";

const mostLines = 60;
/** Longest answer that is read, in characters. */
export const longestAnswer = 12_000;
/** How far above the cursor lines count as repeated, in characters. */
const near = 12_000;

/**
 * The part of an answer that holds all that was asked for, so that the request can be aborted: the line, or the block up to
 * where another line changes nothing. Only whole lines count; `undefined` for more to come.
 */
export function wholePart(text: string, place: CursorContext, kind: PlaceKind): string | undefined {
  const end = text.lastIndexOf("\n");
  if (text.length > longestAnswer) return text.slice(0, end < 0 ? undefined : end);
  if (end < 0) return undefined;
  const part = text.slice(0, end);
  const lines = withoutThoughts(part).split("\n");
  if (repeatsBefore(lines, place)) return undefined;
  if (lines.length > mostLines) return part;
  const now = trimToKind(cleanCompletion(part, place), kind);
  // A line that is taken as it is needs no other line to be read.
  if (kind !== "block" && now !== "" && now.trim() === lines.find(hasText)?.trim()) return part;
  const last = lines.findLastIndex(hasText);
  return now !== "" && now === trimToKind(cleanCompletion(lines.slice(0, last).join("\n"), place), kind)
    ? part
    : undefined;
}

/** What is used of a completion. */
export function trimToKind(text: string | undefined, kind: PlaceKind): string {
  return kind === "block" ? (text ?? "") : (/^\s*[^\r\n]*/.exec(text ?? "")?.[0] ?? "");
}

/** Whether an answer has said nothing yet but lines from before the cursor. */
function repeatsBefore(lines: readonly string[], { prefix }: CursorContext): boolean {
  const known = prefix.slice(-near).split("\n");
  const current = known.pop() ?? "";
  const before = [...known.filter(hasText), ...(hasText(current) ? [current] : [])].map((line) => line.trim());
  const said = lines.filter((line) => fencesIn([line]).length === 0).map((line) => line.replace(/^<\w+>/, "").trim());
  const filled = said.filter(hasText);
  return filled.length > 0 && before.some((_, from) => filled.every((line, at) => line === before[from + at]));
}
