import type { CompletionPlace } from "../../../src/completions/cleaning/place.ts";
import type { RulePorts, RulesFor } from "./replay.ts";

/*
 * The rules of Continue, read in `core/autocomplete` and the VS Code extension at commit d0a3c0b626b5 (18 June 2026),
 * with the default settings.
 */
const debounce = 350;
const modelTimeout = 150;
const mostLines = 4;

/** A request, which goes on when VS Code no longer wants its answer, until the next one is made. */
class Stream {
  readonly prefix: string;
  readonly #abort = new AbortController();
  readonly #clock: RulePorts["clock"];
  #listeners: (() => void)[] = [];
  text = "";
  isEnded = false;

  constructor(place: CompletionPlace, { ask, clock }: RulePorts) {
    this.prefix = place.prefix;
    this.#clock = clock;
    void this.#run(ask(place, { mostLines, answers: 1 }, this.#abort.signal));
  }

  /** Also when it has ended: then it serves as a cache of one answer. */
  canServe({ prefix }: CompletionPlace): boolean {
    return prefix.length >= this.prefix.length && (this.prefix + this.text).startsWith(prefix);
  }

  cancel(): void {
    this.#abort.abort();
  }

  /** Resolves when more text has come or the stream has ended. */
  next(): Promise<void> {
    return new Promise((resolve) => this.#listeners.push(resolve));
  }

  /** Ends when it takes longer than 2.5 times the model's time, which is looked at with each tenth piece. */
  async #run(pieces: AsyncIterable<string>): Promise<void> {
    const start = this.#clock.now();
    let count = 0;
    try {
      for await (const piece of pieces) {
        this.text += piece;
        count += 1;
        this.#tell();
        if (count % 10 === 0 && this.#clock.now() - start > 2.5 * modelTimeout) break;
      }
    } catch {
      // Aborted or failed: what has come is used.
    }
    this.isEnded = true;
    this.#tell();
  }

  #tell(): void {
    const listeners = this.#listeners;
    this.#listeners = [];
    for (const listener of listeners) listener();
  }
}

/**
 * After a pause: the cache, by the code before the cursor only, then the stream under way if what was typed is what has
 * come of it, then a new one, which ends the other. What is shown ends with the first line that comes later than 150 ms
 * after the wait for it began. Answers are kept only if VS Code still wants them when they are complete.
 */
export const continueRules: RulesFor = (ports) => {
  const { clock, show } = ports;
  const cache = new Map<string, string>();
  let stop = new AbortController();
  let stream: Stream | undefined;

  function cached(prefix: string): string | undefined {
    let longest: string | undefined;
    for (const key of cache.keys()) if (prefix.startsWith(key) && key.length > (longest ?? "").length) longest = key;
    const text = longest === undefined ? undefined : cache.get(longest);
    const typed = prefix.slice(longest?.length);
    return text?.startsWith(typed) && text.length > typed.length ? text.slice(typed.length) : undefined;
  }

  async function suggest(place: CompletionPlace, signal: AbortSignal): Promise<void> {
    await clock.sleep(debounce, signal).catch(() => undefined);
    if (signal.aborted) return;
    const known = cached(place.prefix);
    if (known !== undefined) {
      show(known, place);
      return;
    }
    if (!stream?.canServe(place)) {
      stream?.cancel();
      stream = new Stream(place, ports);
    }
    const text = await textOf(stream, place, signal);
    if (text.trim() === "") return;
    cache.set(place.prefix, text);
    show(text, place);
  }

  async function textOf(source: Stream, place: CompletionPlace, signal: AbortSignal): Promise<string> {
    const start = clock.now();
    const isWanted = (): boolean => !signal.aborted;
    const typed = place.prefix.length - source.prefix.length;
    while (!source.isEnded && isWanted()) {
      await source.next();
      const lines = source.text.slice(typed).split("\n");
      const isLate = clock.now() - start > modelTimeout;
      const whole = lines.slice(0, -1);
      if (isWanted() && isLate && whole.some((line) => line.trim() !== "")) return whole.join("\n");
    }
    return isWanted() ? source.text.slice(typed).trimEnd() : "";
  }

  return {
    typed(place) {
      stop.abort();
      stop = new AbortController();
      void suggest(place, stop.signal);
    },
    moved() {
      stop.abort();
    },
  };
};
