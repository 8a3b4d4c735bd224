import type { CompletionPlace } from "../../../src/completions/cleaning/place.ts";
import { CompletionCache, restOf, type Suggestion } from "../../../src/completions/completionCache.ts";
import { completionPrompt } from "../../../src/completions/completionPrompt.ts";
import { CompletionSession, timeToRead } from "../../../src/completions/completionSession.ts";
import { Governor } from "../../../src/completions/governor.ts";
import { GatewayError } from "../../../src/gateway/errors.ts";
import { VirtualClock } from "../../support/completions/virtualClock.ts";
import { simulatedAnswer, streamAnswer } from "./simulatedModel.ts";
import type { Step } from "./typedSessions.ts";

export interface ReplayResult {
  readonly keys: number;
  /** When requests were made, in milliseconds. */
  readonly starts: readonly number[];
  /** Requests of which nothing was ever shown. */
  readonly wasted: number;
  /** Suggestions that stood for 750 ms. */
  readonly read: number;
}

export interface Conditions {
  /** Time to the first text, in milliseconds. */
  readonly latency: number;
  /** Every request is answered with 429. */
  readonly isStorm?: boolean;
}

interface Request {
  readonly place: CompletionPlace;
  readonly answer: string;
  readonly start: number;
  isShown: boolean;
}

/** Types a session anew, on a clock that needs no time, and counts what the extension does. */
export async function replay(steps: Iterable<Step>, { latency, isStorm = false }: Conditions): Promise<ReplayResult> {
  const clock = new VirtualClock();
  const requests: Request[] = [];
  // What the code would be with each suggestion that stood long enough to be read: the same one counts once.
  const read = new Set<string>();
  let standing: (Suggestion & { readonly since: number }) | undefined;
  let rest: string | undefined;
  const session = new CompletionSession({
    governor: new Governor({ mostPerHour: 10_000, now: () => clock.now() }),
    cache: new CompletionCache(),
    clock,
    async *ask({ place, kind }, signal) {
      completionPrompt(place, { path: "file.ts", symbols: [], neighbors: [], edits: [] }, kind, 12_000);
      const answer = simulatedAnswer(place.prefix, rest, kind);
      requests.push({ place, answer, start: clock.now(), isShown: false });
      if (isStorm) throw await clock.sleep(latency, signal).then(() => new GatewayError("rateLimited", ""));
      yield* streamAnswer(answer, clock, latency, signal);
    },
  });
  const endsUnless = (isStill: boolean): void => {
    if (!standing || isStill) return;
    if (clock.now() - standing.since >= timeToRead) read.add(standing.place.prefix + standing.text);
    standing = undefined;
  };
  const show = (text: string, place: CompletionPlace): void => {
    endsUnless(standing !== undefined && restOf(standing, place) === text);
    standing ??= { text, place, since: clock.now() };
    const source = requests.findLast((request) => isFrom(request, text, place));
    if (source) source.isShown = true;
  };
  let stop = new AbortController();
  let [time, keys] = [0, 0];
  for (const step of steps) {
    const { place } = step;
    time += step.after;
    await clock.moveTo(time);
    rest = step.rest;
    // A suggestion that is typed goes on standing.
    endsUnless(standing !== undefined && restOf(standing, place) !== undefined);
    stop.abort();
    stop = new AbortController();
    const { signal } = stop;
    if (step.isMove) {
      session.moved(place);
      continue;
    }
    keys += 1;
    void session.suggest(place, signal).then((text) => {
      if (text !== undefined && !signal.aborted) show(text, place);
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
function isFrom({ place, answer }: Request, text: string, now: CompletionPlace): boolean {
  return now.prefix.startsWith(place.prefix) && squeezed(answer).includes(squeezed(text).slice(0, 4));
}

function squeezed(text: string): string {
  return text.replace(/\s+/g, "");
}
