import { CompletionCache } from "../../../src/completions/completionCache.ts";
import { completionPrompt } from "../../../src/completions/completionPrompt.ts";
import { CompletionSession } from "../../../src/completions/completionSession.ts";
import { Governor } from "../../../src/completions/governor.ts";
import type { RulesFor } from "./replay.ts";

/** How many lines the model writes. It may write more than it is asked for, which the session cuts off. */
const mostLines = { rest: 2, line: 2, block: 12 };
const budget = 12_000;

/** The session as the extension has it. */
export const ours: RulesFor = ({ clock, ask, show }) => {
  const session = new CompletionSession({
    governor: new Governor({ mostPerHour: 10_000, now: () => clock.now() }),
    cache: new CompletionCache(),
    clock,
    endOf: () => ({ outcome: "limited" }),
    ask({ place, kind }, signal) {
      completionPrompt(place, { path: "file.ts", symbols: [], edits: [] }, kind, budget);
      return ask(place, { mostLines: mostLines[kind], answers: 1 }, signal);
    },
  });
  let stop = new AbortController();
  return {
    typed(place) {
      stop.abort();
      stop = new AbortController();
      const { signal } = stop;
      void session.suggest(place, signal).then((text) => {
        if (text !== undefined && !signal.aborted) show(text, place);
      });
    },
    moved(place) {
      stop.abort();
      session.moved(place);
    },
  };
};
