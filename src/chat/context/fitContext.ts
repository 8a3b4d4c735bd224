import type { Uri } from "vscode";
import { estimateTokens } from "../../text/estimateTokens.ts";

/** A piece of context: a file, a selection or a directory listing. */
export interface ContextPart {
  /** Label shown to users: a path, with a line range unless it is the whole file. */
  readonly name: string;
  readonly language: string;
  readonly text: string;
  /** The file that it is, or is a part of. */
  readonly uri?: Uri;
  /** The line of the file where it starts, from zero; the first by default. */
  readonly start?: number;
}

/** The context that fits, and the names of what does not. */
export interface FittedContext {
  readonly parts: readonly ContextPart[];
  /** Names of parts that were truncated to their first lines. */
  readonly shortened: readonly string[];
  readonly leftOut: readonly string[];
}

/** Tokens a part costs in addition to its name and text: fence, language, and line breaks. */
const frame = 12;

/** Minimum size of a truncated part, in tokens; a shorter piece is not worth sending. */
const leastUseful = 200;

/** Fits the parts into `budget` tokens in the given order, most relevant first, truncating a part that does not fit. */
export function fitContext(parts: readonly ContextPart[], budget: number): FittedContext {
  const fitted: ContextPart[] = [];
  const shortened: string[] = [];
  const leftOut: string[] = [];
  let room = budget;
  for (const part of parts) {
    const around = estimateTokens(part.name) + frame;
    const fits = around + estimateTokens(part.text) <= room;
    const text = fits ? part.text : room >= leastUseful ? firstLines(part.text, room - around) : "";
    if (text === "" && !fits) {
      leftOut.push(part.name);
      continue;
    }
    if (!fits) shortened.push(part.name);
    fitted.push({ ...part, text });
    room -= around + estimateTokens(text);
  }
  return { parts: fitted, shortened, leftOut };
}

/** The first whole lines that fit into `budget` tokens. */
function firstLines(text: string, budget: number): string {
  let end = 0;
  let tokens = 0;
  while (end < text.length) {
    const newline = text.indexOf("\n", end);
    const next = newline < 0 ? text.length : newline + 1;
    tokens += estimateTokens(text.slice(end, next));
    if (tokens > budget) break;
    end = next;
  }
  return text.slice(0, end);
}
