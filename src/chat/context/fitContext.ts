import { estimateTokens } from "../../text/estimateTokens.ts";

/** Something to read besides the question: a file, a selection, a listing. */
export interface ContextPart {
  /** As users see it: a path, with lines where it is not the whole file. */
  readonly name: string;
  readonly language: string;
  readonly text: string;
}

/** What goes along with a question, and what does not for lack of room. */
export interface FittedContext {
  readonly parts: readonly ContextPart[];
  /** Names of parts of which only the first lines go along. */
  readonly shortened: readonly string[];
  readonly leftOut: readonly string[];
}

/** Less of a part than this, in tokens, is of no use. */
const leastUseful = 200;

/** Takes the parts in the given order, the most useful first, each as large as there is room for it. */
export function fitContext(parts: readonly ContextPart[], budget: number): FittedContext {
  const fitted: ContextPart[] = [];
  const shortened: string[] = [];
  const leftOut: string[] = [];
  let room = budget;
  for (const part of parts) {
    const tokens = estimateTokens(part.text);
    const fits = tokens <= room;
    const text = fits ? part.text : room >= leastUseful ? firstLines(part.text, room) : "";
    if (text === "" && !fits) {
      leftOut.push(part.name);
      continue;
    }
    if (!fits) shortened.push(part.name);
    fitted.push({ ...part, text });
    room -= fits ? tokens : estimateTokens(text);
  }
  return { parts: fitted, shortened, leftOut };
}

/** As many whole lines from the beginning as fit. */
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
