import type { Entry } from "../baseUrl.ts";
import type { SharedContext } from "./sharedContext.ts";

/**
 * Called after a check of a silent entry. `thinking`: the entry is alive, so the model is still thinking. `dead`, `unknown`:
 * two checks in a row have failed. `canLeave`: another entry could answer instead.
 */
export type OnSilence = (meaning: "thinking" | "dead" | "unknown", canLeave: boolean) => void;

/** Checks in a row that fail before anything follows from it. A single packet may get lost. */
const failuresThatCount = 2;

/** The silence before a check doubles with each check, up to this many times the first: 11 checks while a model thinks for 300 s. */
const mostPatience = 6;

/**
 * Watches an entry from a request to the end of its answer, and checks it whenever it is silent. It may ignore checks, or
 * serve one connection at a time: only where one was ever taken beside an answer does silence mean that it is dead.
 */
export class SilenceWatch {
  readonly #context: SharedContext;
  readonly #entry: Entry;
  /** The subject of what is known about checks. */
  readonly #subject: string;
  readonly #isOtherReady: () => boolean;
  readonly #onSilence: OnSilence;
  readonly #end = new AbortController();
  #timer: NodeJS.Timeout;
  #failures = 0;
  #checks = 0;
  /** Counts what arrives, so that a check that was overtaken by data counts for nothing. */
  #arrivals = 0;
  #hasBegun = false;

  /** `isOtherReady`: whether another entry could answer instead. */
  constructor(context: SharedContext, entry: Entry, isOtherReady: () => boolean, onSilence: OnSilence) {
    this.#context = context;
    this.#entry = entry;
    this.#subject = checksOf(entry);
    this.#isOtherReady = isOtherReady;
    this.#onSilence = onSilence;
    this.#timer = this.#started();
  }

  /** Data has arrived. */
  touch(): void {
    if (this.#end.signal.aborted) return;
    this.#arrivals += 1;
    if (this.#failures === 0) {
      this.#timer.refresh();
      return;
    }
    const { memory } = this.#context;
    const isIgnored = this.#failures >= failuresThatCount && !memory.known(this.#subject).has("taken");
    if (isIgnored) memory.learn(this.#subject, ["ignored"]);
    this.#restart(0);
  }

  /** The first part of the answer has arrived, so that no other entry can be asked any more. */
  begin(): void {
    this.#hasBegun = true;
    this.#checks = 0;
    if (!this.#end.signal.aborted) this.#restart(0);
  }

  stop(): void {
    this.#end.abort();
    clearTimeout(this.#timer);
  }

  async #check(): Promise<void> {
    const arrivals = this.#arrivals;
    const { limits, memory } = this.#context;
    this.#checks += 1;
    const lives = await this.#context.isAlive(this.#entry, limits.connectWithStandby, this.#end.signal);
    if (this.#end.signal.aborted || arrivals !== this.#arrivals) return;
    this.#restart(lives ? 0 : this.#failures + 1);
    if (lives) {
      memory.forget(this.#subject);
      memory.learn(this.#subject, ["taken"]);
      this.#onSilence("thinking", this.#canLeave);
    }
    const known = memory.known(this.#subject);
    if (this.#failures >= failuresThatCount && !known.has("ignored"))
      this.#onSilence(known.has("taken") ? "dead" : "unknown", this.#canLeave);
  }

  get #canLeave(): boolean {
    return !this.#hasBegun && this.#isOtherReady();
  }

  #restart(failures: number): void {
    this.#failures = failures;
    clearTimeout(this.#timer);
    this.#timer = this.#started();
  }

  #started(): NodeJS.Timeout {
    const { silence, silenceWithStandby, silenceAfterCheck } = this.#context.limits;
    const first = this.#canLeave ? Math.min(silence, silenceWithStandby) : silence;
    const usual = first * Math.min(mostPatience, 2 ** this.#checks);
    const limit = this.#failures === 1 ? Math.min(usual, silenceAfterCheck) : usual;
    return setTimeout(() => void this.#check(), limit);
  }
}

/** The subject of how an entry takes liveness checks: they were `taken`, or `ignored` while it answered a request. */
export function checksOf({ baseUrl }: Entry): string {
  return `checks ${baseUrl}`;
}
