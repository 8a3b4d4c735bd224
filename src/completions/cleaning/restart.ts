import { indentOf, isFilled } from "../../text/lines.ts";
import { weight } from "./overlap.ts";
import type { Place } from "./place.ts";

/** How many lines before the cursor are compared. */
const mostLines = 400;

/** The answer without the function that it writes anew from its start, even where it does so with small changes. */
export function withoutRestart(answer: string, { before, linePrefix }: Place): string {
  const known = before.split("\n").slice(-mostLines);
  if (linePrefix.trim() === "") known.pop();
  const lines = answer.split("\n");
  const first = lines.findIndex(isFilled);
  const start = lines[first]?.trim() ?? "";
  if (weight(start) < 6) return answer;
  const from = known.findLastIndex((line) => line.trim() === start);
  const current = linePrefix.trim() === "" ? (known.at(-1) ?? "") : linePrefix;
  if (from < 0 || indentOf(known[from] ?? "").length >= indentOf(current).length) return answer;
  const region = known.slice(from).filter(isFilled);
  if (region.length < 2) return answer;
  const last = region.at(-1)?.trim() ?? "";
  const end = lines.findIndex((line, at) => at > first && isSame(line, last, linePrefix));
  if (end < 0 || weight(last) < 3) return answer;
  const said = lines.slice(first, end + 1).filter(isFilled);
  const wanted = new Set(region.map((line) => line.trim()));
  const shared = said.filter((line) => wanted.has(line.trim())).length + (linePrefix.trim() === "" ? 0 : 1);
  if (shared < Math.max(2, said.length * 0.6) || shared < region.length * 0.6) return answer;
  const rest = lines.slice(end + 1).join("\n");
  if (linePrefix.trim() === "") return rest.startsWith(linePrefix) ? rest.slice(linePrefix.length) : rest;
  const line = lines[end] ?? "";
  const tail = line.trimStart().slice(linePrefix.trimStart().length);
  return end + 1 < lines.length ? `${tail}\n${rest}` : tail;
}

function isSame(line: string, last: string, linePrefix: string): boolean {
  return linePrefix.trim() === "" ? line.trim() === last : line.trimStart().startsWith(linePrefix.trimStart());
}
