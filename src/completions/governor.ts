/** How a request for a completion ended. */
export type CompletionOutcome = "answered" | "aborted" | "limited" | "refused" | "failed";

/** Why no request may be sent at present. */
export type RequestDenial = "limited" | "hour" | "refused";

export interface GovernorOptions {
  /** Maximum requests in an hour. */
  readonly maxPerHour: number;
  /** The time of a monotonic clock, in milliseconds. */
  readonly now: () => number;
}

const firstPause = 300;
const minPause = 150;
/** The longest pause outside a word. With a longer one, completions would seem to have stopped. */
const maxPause = 800;
/** Factor of the pause inside a word, where users usually go on typing soon. */
const wordFactor = 2.5;
/** Failures in a row, other than rate limits, after which requests stop for a while as well. */
const maxFailures = 3;
const firstWait = 60_000;
const maxWait = 15 * 60_000;
/** How an answer that came too late, and one that was shown, change the pause: about one in fourteen may be late. */
const lateFactor = 1.7;
const shownFactor = 0.96;
const [minFactor, maxFactor] = [0.5, 6];
const hour = 3_600_000;
/** Weight of the newest measurement in an average. */
const newest = 0.2;

/** Decides when a request may be sent, so that few are wasted. */
export class Governor {
  readonly #options: GovernorOptions;
  #latency = firstPause;
  /** Share of the suggestions that are accepted, with a neutral start. */
  #acceptance = 0.3;
  #measured = false;
  /** The pause relative to the latency. */
  #factor = 1;
  #starts: number[] = [];
  #limits = 0;
  #failures = 0;
  #waitsUntil = 0;
  #isRefused = false;

  constructor(options: GovernorOptions) {
    this.#options = options;
  }

  /**
   * How long to wait for the next key before a request, in milliseconds: about as long as an answer takes, since a user who
   * has paused so long mostly pauses as long again; longer where answers were too late or are rarely accepted.
   */
  pause(isInWord = false): number {
    const pause = this.#latency * this.#factor * (1.6 - 2 * Math.min(this.#acceptance, 0.6));
    return Math.round(Math.min(maxPause, Math.max(minPause, pause)) * (isInWord ? wordFactor : 1));
  }

  /** Whether the pause has its maximum. */
  get isSlowed(): boolean {
    return this.pause() === maxPause;
  }

  /** Why no request may be sent; `undefined` if one may. */
  get denial(): RequestDenial | undefined {
    if (this.#isRefused) return "refused";
    if (this.#options.now() < this.#waitsUntil) return "limited";
    return this.#lastHour().length >= this.#options.maxPerHour ? "hour" : undefined;
  }

  /** When the denial ends, on the clock of the options; `undefined` without one that ends by itself. */
  get deniedUntil(): number | undefined {
    const { denial } = this;
    if (denial === "limited") return this.#waitsUntil;
    const [first] = this.#starts;
    return denial === "hour" && first !== undefined ? first + hour : undefined;
  }

  /** Notes that a request is sent. */
  start(): void {
    this.#starts = [...this.#lastHour(), this.#options.now()];
  }

  /** Notes how a request ended; `latency` is the time to the first text, in milliseconds. */
  end(outcome: CompletionOutcome, latency?: number, retryAfter = 0): void {
    if (outcome === "refused") this.#isRefused = true;
    if (outcome === "failed") this.#failures += 1;
    const isFailing = outcome === "failed" && this.#failures >= maxFailures;
    if (outcome === "limited" || isFailing) this.#wait(retryAfter);
    if (outcome !== "answered") return;
    this.#failures = 0;
    this.#limits = 0;
    if (latency === undefined) return;
    this.#latency = this.#measured ? this.#latency * (1 - newest) + latency * newest : latency;
    this.#measured = true;
  }

  /** Notes whether an answer could be shown, or came too late. */
  used(isUsed: boolean): void {
    const factor = this.#factor * (isUsed ? shownFactor : lateFactor);
    this.#factor = Math.min(maxFactor, Math.max(minFactor, factor));
  }

  /** Notes whether a suggestion was accepted that was visible long enough. */
  shown(isAccepted: boolean): void {
    this.#acceptance = this.#acceptance * (1 - newest) + (isAccepted ? newest : 0);
  }

  /** Ends each denial but that of the hour, after the key or the model has changed. */
  reset(): void {
    this.#isRefused = false;
    this.#limits = 0;
    this.#failures = 0;
    this.#waitsUntil = 0;
  }

  /** Each limit in a row doubles the wait. */
  #wait(retryAfter: number): void {
    const wait = Math.min(maxWait, firstWait * 2 ** this.#limits);
    this.#limits = Math.min(this.#limits + 1, 10);
    this.#waitsUntil = Math.max(this.#waitsUntil, this.#options.now() + Math.max(wait, retryAfter));
  }

  #lastHour(): number[] {
    const since = this.#options.now() - hour;
    return this.#starts.filter((start) => start > since);
  }
}
