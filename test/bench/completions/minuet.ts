import type { CompletionPlace } from "../../../src/completions/cleaning/place.ts";
import type { RulesFor } from "./replay.ts";

/*
 * The rules of minuet-ai.nvim, read in its source and README at commit 479487c34041 (7 August 2026): virtual text with
 * automatic trigger, a provider of chat completions, and the default settings.
 */
const debounce = 400;
const throttle = 1_000;
const requestTimeout = 3_000;
/** `n_completions`: the prompt asks for three answers in one response; the first one is shown. */
const answers = 3;
const mostLines = 4;

/**
 * A suggestion that is typed stays. Otherwise a request is made after a pause, at most one in a second; it ends the one
 * under way. Answers are shown when all of them have come or the time is over, wherever the cursor is by then. No cache.
 */
export const minuet: RulesFor = ({ clock, ask, show }) => {
  let suggestion = "";
  let last: CompletionPlace | undefined;
  let cursor: CompletionPlace | undefined;
  let timer = new AbortController();
  let job = new AbortController();
  let throttledUntil = 0;

  function isTyped(place: CompletionPlace): boolean {
    if (suggestion === "" || last?.suffix !== place.suffix || !place.prefix.startsWith(last.prefix)) return false;
    const typed = place.prefix.slice(last.prefix.length);
    if (typed === "" || !suggestion.startsWith(typed)) return false;
    suggestion = suggestion.slice(typed.length);
    return true;
  }

  function moved(place: CompletionPlace): void {
    cursor = place;
    const isKept = isTyped(place);
    if (isKept) last = place;
    if (isKept) timer.abort();
    if (isKept) return;
    suggestion = "";
    void schedule();
  }

  async function schedule(): Promise<void> {
    if (clock.now() < throttledUntil) return;
    timer.abort();
    timer = new AbortController();
    const { signal } = timer;
    await clock.sleep(debounce, signal).catch(() => undefined);
    if (signal.aborted || clock.now() < throttledUntil || !cursor) return;
    throttledUntil = clock.now() + throttle;
    job.abort();
    job = new AbortController();
    await run(cursor, job.signal);
  }

  async function run(place: CompletionPlace, signal: AbortSignal): Promise<void> {
    const timeout = new AbortController();
    const ended = AbortSignal.any([signal, timeout.signal]);
    void clock.sleep(requestTimeout, ended).then(
      () => {
        timeout.abort();
      },
      () => undefined,
    );
    let text = "";
    try {
      for await (const token of ask(place, { mostLines, answers }, ended)) text += token;
    } catch {
      // What has come until the timeout is used.
    }
    const isLate = signal.aborted;
    timeout.abort();
    if (isLate || text === "" || !cursor) return;
    suggestion = text.trimEnd();
    last = cursor;
    show(suggestion, cursor);
  }

  return { typed: moved, moved };
};
