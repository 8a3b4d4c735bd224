import type { CursorContext } from "../../../src/completions/cleaning/context.ts";
import { CompletionCache, restOf, type Suggestion } from "../../../src/completions/completionCache.ts";
import { completionPromptText } from "../../../src/completions/completionPromptText.ts";
import { CompletionSession, timeToRead } from "../../../src/completions/completionSession.ts";
import { Governor } from "../../../src/completions/governor.ts";
import { GatewayError } from "../../../src/gateway/errors.ts";
import type { Clock } from "../../../src/gateway/policy/clock.ts";
import { VirtualClock } from "../../support/completions/virtualClock.ts";
import { chance, seedOf } from "../../support/random.ts";
import type { Step } from "./typedSessions.ts";

export interface ReplayResult {
  readonly keys: number;
  /** When requests were made, in milliseconds. */
  readonly starts: readonly number[];
  /** Requests of which nothing was ever shown. */
  readonly wasted: number;
  /** Suggestions that were shown for 750 ms. */
  readonly read: number;
}

interface Conditions {
  /** Time to the first text, in milliseconds. */
  readonly latency: number;
  /** Every request is answered with 429. */
  readonly isStorm?: boolean;
}

interface Request {
  readonly context: CursorContext;
  readonly answer: string;
  readonly start: number;
  isShown: boolean;
}

/** Types a session anew, on a clock that needs no time, and counts what the extension does. */
export async function replay(steps: Iterable<Step>, { latency, isStorm = false }: Conditions): Promise<ReplayResult> {
  const clock = new VirtualClock();
  const requests: Request[] = [];
  // The code with each suggestion that was shown long enough to be read: the same one counts once.
  const read = new Set<string>();
  let standing: (Suggestion & { readonly since: number }) | undefined;
  let rest: string | undefined;
  const session = new CompletionSession({
    governor: new Governor({ maxPerHour: 10_000, now: () => clock.now() }),
    cache: new CompletionCache(),
    clock,
    async *ask({ context, kind }, signal) {
      completionPromptText(context, { path: "file.ts", symbols: [], neighbors: [], edits: [] }, kind, 12_000);
      const answer = simulatedAnswer(context.prefix, rest, kind);
      requests.push({ context, answer, start: clock.now(), isShown: false });
      if (isStorm) throw await clock.sleep(latency, signal).then(() => new GatewayError("rateLimited", ""));
      yield* streamAnswer(answer, clock, latency, signal);
    },
  });
  const endsUnless = (isStill: boolean): void => {
    if (!standing || isStill) return;
    if (clock.now() - standing.since >= timeToRead) read.add(standing.context.prefix + standing.text);
    standing = undefined;
  };
  const show = (text: string, context: CursorContext): void => {
    endsUnless(standing !== undefined && restOf(standing, context) === text);
    standing ??= { text, context, since: clock.now() };
    const source = requests.findLast((request) => isFrom(request, text, context));
    if (source) source.isShown = true;
  };
  let stop = new AbortController();
  let [time, keys] = [0, 0];
  for (const step of steps) {
    const { context } = step;
    time += step.after;
    await clock.moveTo(time);
    rest = step.rest;
    // A suggestion that is typed stays.
    endsUnless(standing !== undefined && restOf(standing, context) !== undefined);
    stop.abort();
    stop = new AbortController();
    const { signal } = stop;
    if (step.isMove) {
      session.moved(context);
      continue;
    }
    keys += 1;
    void session.suggest(context, signal).then((text) => {
      if (text !== undefined && !signal.aborted) show(text, context);
    });
  }
  await clock.moveTo(time + 10_000);
  endsUnless(false);
  return {
    keys,
    starts: requests.map(({ start }) => start),
    wasted: requests.filter(({ isShown }) => !isShown).length,
    read: read.size,
  };
}

/** Whether a text on the screen is from an answer: part of that may have been typed meanwhile, part be cleaned away. */
function isFrom({ context, answer }: Request, text: string, now: CursorContext): boolean {
  return now.prefix.startsWith(context.prefix) && squeezed(answer).includes(squeezed(text).slice(0, 4));
}

function squeezed(text: string): string {
  return text.replace(/\s+/g, "");
}

/** How many lines the model writes. It may write more than it is asked for, which the session cuts off. */
const mostLines = { rest: 2, line: 2, block: 12 };
/** How likely the next token is right if the last one was. With eight tokens to the end of a line, 43 % of lines are. */
const rightToken = 0.9;
/** Time between two tokens, in milliseconds. */
const tokenTime = 20;

/**
 * The answer of the model where `rest` is really typed: that, up to the first wrong token, and then something in the form of
 * another line, made of the file's words. The same for the same text before the cursor. Nobody can know `rest` where a
 * typo is before the cursor.
 */
function simulatedAnswer(prefix: string, rest: string | undefined, kind: keyof typeof mostLines): string {
  const random = chance(seedOf(prefix.slice(-300)));
  const instead = otherLine(prefix.slice(-8_000), random);
  if (rest === undefined) return instead.slice(1).join("");
  const tokens = tokensOf(untilEnd(rest, mostLines[kind]));
  const wrong = tokens.findIndex(() => random() >= rightToken);
  return wrong < 0 ? tokens.join("") : [...tokens.slice(0, wrong), ...instead.slice(1 + (wrong % 3))].join("");
}

/** Streams an answer: the first text after `latency`, then a token in each `tokenTime`. */
async function* streamAnswer(
  answer: string,
  clock: Clock,
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
