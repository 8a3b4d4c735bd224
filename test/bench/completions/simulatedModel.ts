import type { FullClock } from "../../../src/gateway/policy/clock.ts";
import { chance, seedOf } from "../../support/faults/chance.ts";

/** How many lines the model writes. It may write more than it is asked for, which the session cuts off. */
const mostLines = { rest: 2, line: 2, block: 12 };
/** How likely the next token is right if the last one was. With eight tokens to the end of a line, 43 % of lines are. */
const rightToken = 0.9;
/** Time between two tokens, in milliseconds. */
const tokenTime = 20;

/**
 * What the model says where `rest` is really typed: that, up to the first wrong token, and then something in the form of
 * another line, made of the file's words. The same for the same text before the cursor. Nobody can know `rest` where a
 * slip stands before the cursor.
 */
export function simulatedAnswer(prefix: string, rest: string | undefined, kind: keyof typeof mostLines): string {
  const random = chance(seedOf(prefix.slice(-300)));
  const instead = otherLine(prefix.slice(-8_000), random);
  if (rest === undefined) return instead.slice(1).join("");
  const tokens = tokensOf(untilEnd(rest, mostLines[kind]));
  const wrong = tokens.findIndex(() => random() >= rightToken);
  return wrong < 0 ? tokens.join("") : [...tokens.slice(0, wrong), ...instead.slice(1 + (wrong % 3))].join("");
}

/** Streams an answer: the first text after `latency`, then a token in each `tokenTime`. */
export async function* streamAnswer(
  answer: string,
  clock: FullClock,
  latency: number,
  signal: AbortSignal,
): AsyncGenerator<string> {
  await clock.sleep(latency, signal);
  for (const token of tokensOf(answer)) {
    yield token;
    await clock.sleep(tokenTime, signal);
  }
}

function otherLine(prefix: string, random: () => number): string[] {
  const lines = prefix.split("\n").filter((line) => line.trim().length > 8);
  const words = prefix.match(/[a-z]\w+/gi) ?? [];
  const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(random() * from.length)];
  return tokensOf(pick(lines)?.trim() ?? "").map((token) => token.replace(/\w+/, (word) => pick(words) ?? word));
}

function tokensOf(text: string): string[] {
  return text.match(/\s*(?:\w+|[^\w\s])|\s+$/g) ?? [];
}

/** At most so many lines with code, and not beyond an empty one. */
function untilEnd(rest: string, most: number): string {
  const lines = rest.split("\n");
  const end = lines.findIndex((line, index) => index > 1 && line.trim() === "");
  const first = lines[0]?.trim() === "" ? 1 : 0;
  return lines.slice(0, Math.min(end < 0 ? Infinity : end, first + most)).join("\n");
}
