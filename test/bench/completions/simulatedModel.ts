import type { CompletionPlace } from "../../../src/completions/cleaning/place.ts";
import type { FullClock } from "../../../src/gateway/policy/clock.ts";
import { randomNumbers, seedOf } from "./random.ts";

/** What is asked of the model: a place, what is really typed there, and how many lines it may write. */
export interface SimulatedQuestion {
  readonly place: CompletionPlace;
  /** `undefined` where nobody can know, since a slip stands before the cursor. */
  readonly rest: string | undefined;
  readonly mostLines: number;
  /** How many answers to the question are written one after the other. */
  readonly answers: number;
}

/** How likely the next token is right if the last one was. With eight tokens to the end of a line, 43 % of lines are. */
const rightToken = 0.9;
/** Time between two tokens, in milliseconds. */
const tokenTime = 20;

/**
 * The model's first answer: what is really typed, up to the first wrong token, and then something in the form of another
 * line, made of the file's words. The same for everyone who asks at this place.
 */
export function simulatedAnswer({ place, rest, mostLines }: SimulatedQuestion): string {
  const random = randomNumbers(seedOf(place.prefix.slice(-300)));
  const instead = otherLine(place.prefix, random);
  if (rest === undefined) return instead.slice(1).join("");
  const tokens = tokensOf(untilEnd(rest, mostLines));
  const wrong = tokens.findIndex(() => random() >= rightToken);
  return wrong < 0 ? tokens.join("") : [...tokens.slice(0, wrong), ...instead.slice(1 + (wrong % 3))].join("");
}

function otherLine(wholePrefix: string, random: () => number): string[] {
  const prefix = wholePrefix.slice(-8_000);
  const lines = prefix.split("\n").filter((line) => line.trim().length > 8);
  const words = prefix.match(/[a-z]\w+/gi) ?? [];
  const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(random() * from.length)];
  return tokensOf(pick(lines)?.trim() ?? "").map((token) => token.replace(/\w+/, (word) => pick(words) ?? word));
}

/** Streams the answers: the first text after `latency`, then a token in each `tokenTime`. */
export async function* streamAnswer(
  question: SimulatedQuestion,
  answer: string,
  { clock, latency }: { readonly clock: FullClock; readonly latency: number },
  signal: AbortSignal,
): AsyncGenerator<string> {
  await clock.sleep(latency, signal);
  for (const token of tokensOf(answer)) {
    yield token;
    await clock.sleep(tokenTime, signal);
  }
  for (let more = 1; more < question.answers; more += 1) {
    await clock.sleep(tokensOf(answer).length * tokenTime, signal);
  }
}

function tokensOf(text: string): string[] {
  return text.match(/\s*(?:\w+|[^\w\s])|\s+$/g) ?? [];
}

/** At most so many lines with code, and not beyond an empty one. */
function untilEnd(rest: string, mostLines: number): string {
  const lines = rest.split("\n");
  const end = lines.findIndex((line, index) => index > 1 && line.trim() === "");
  const first = lines[0]?.trim() === "" ? 1 : 0;
  return lines.slice(0, Math.min(end < 0 ? Infinity : end, first + mostLines)).join("\n");
}
