import type { CompletionPlace } from "../../../src/completions/cleaning/place.ts";
import type { FullClock } from "../../../src/gateway/policy/clock.ts";
import { VirtualClock } from "../../support/completions/virtualClock.ts";
import { Screen } from "./screen.ts";
import { simulatedAnswer, streamAnswer } from "./simulatedModel.ts";
import { type Trace, TypedFile } from "./trace.ts";

/** What the rules of an extension can use. */
export interface RulePorts {
  readonly clock: FullClock;
  /** Asks the model for at most so many lines. Throws `limited` in a storm of 429. */
  readonly ask: (
    place: CompletionPlace,
    amount: { readonly mostLines: number; readonly answers: number },
    signal: AbortSignal,
  ) => AsyncIterable<string>;
  /** Puts a suggestion on the screen. */
  readonly show: (text: string, place: CompletionPlace) => void;
}

/** The rules of an extension: what it does when a key is typed and when the cursor is moved. */
export interface Rules {
  readonly typed: (place: CompletionPlace) => void;
  readonly moved: (place: CompletionPlace) => void;
}

export type RulesFor = (ports: RulePorts) => Rules;

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
  /** Text before that of the file. */
  readonly padding?: string;
}

interface Request {
  readonly place: CompletionPlace;
  readonly answer: string;
  readonly start: number;
  isShown: boolean;
}

/** What a limited request throws. */
const limited = new Error("429");

/** Types a session anew, on a clock that needs no time, and counts what the rules do. */
export async function replay(trace: Trace, rulesFor: RulesFor, conditions: Conditions): Promise<ReplayResult> {
  const clock = new VirtualClock();
  const file = new TypedFile(trace, conditions.padding);
  const screen = new Screen(() => clock.now());
  const requests: Request[] = [];
  const rules = rulesFor({
    clock,
    async *ask(place, amount, signal) {
      const question = { place, rest: file.rest, ...amount };
      const answer = simulatedAnswer(question);
      requests.push({ place, answer, start: clock.now(), isShown: false });
      if (conditions.isStorm) {
        await clock.sleep(conditions.latency, signal);
        throw limited;
      }
      yield* streamAnswer(question, answer, { clock, latency: conditions.latency }, signal);
    },
    show(text, place) {
      screen.show(text, place);
      const source = requests.findLast((request) => isFrom(request, text, place));
      if (source) source.isShown = true;
    },
  });
  let [time, keys] = [0, 0];
  for (const step of trace.steps) {
    time += step.after;
    await clock.moveTo(time);
    file.apply(step);
    screen.moved(file.place);
    if ("hole" in step) rules.moved(file.place);
    else rules.typed(file.place);
    if (!("hole" in step)) keys += 1;
  }
  await clock.moveTo(time + 10_000);
  screen.moved({ prefix: "", suffix: "", languageId: "" });
  const wasted = requests.filter(({ isShown }) => !isShown).length;
  return { keys, starts: requests.map(({ start }) => start), wasted, read: screen.read };
}

/** Whether a text on the screen is from an answer: part of that may have been typed meanwhile, part be cleaned away. */
function isFrom({ place, answer }: Request, text: string, now: CompletionPlace): boolean {
  return now.prefix.startsWith(place.prefix) && squeezed(answer).includes(squeezed(text).slice(0, 4));
}

function squeezed(text: string): string {
  return text.replace(/\s+/g, "");
}
