/** How a request for a completion ended. */
export type CompletionOutcome = "answered" | "aborted" | "limited" | "refused" | "failed";

/** Why no completion is asked for now. */
export type Silence = "limited" | "hour" | "refused";

export interface GovernorOptions {
  /** Maximum requests in an hour. */
  readonly mostPerHour: number;
  /** The time in milliseconds, from any start. */
  readonly now: () => number;
}

const firstPause = 300;
const shortestPause = 150;
/** The longest pause outside a word. A longer one reads as if completions had stopped. */
const longestPause = 800;
/** Factor of the pause in a word, where users mostly pause because of a slip, and go on soon. */
const inWord = 2.5;
/** Failures in a row, other than limits, after which requests stop for a while as well. */
const mostFailures = 3;
const firstSilence = 60_000;
const longestSilence = 15 * 60_000;
/** How an answer that came too late, and one that was shown, change the pause: one in fourteen may fail. */
const morePatience = 1.7;
const lessPatience = 0.96;
const [leastPatience, mostPatience] = [0.5, 6];
const hour = 3_600_000;
/** Weight of the newest measurement in an average. */
const newest = 0.2;

/** Decides when a completion may be asked for, so that few requests are made for nothing. */
export class Governor {
  readonly #options: GovernorOptions;
  #latency = firstPause;
  /** Part of the suggestions that are accepted. Starts in the middle, so that nothing is punished unseen. */
  #acceptance = 0.3;
  #measured = false;
  /** The pause, in times of an answer. */
  #patience = 1;
  #starts: number[] = [];
  #limits = 0;
  #failures = 0;
  #silentUntil = 0;
  #isRefused = false;

  constructor(options: GovernorOptions) {
    this.#options = options;
  }

  /**
   * How long to wait for the next key before asking, in milliseconds. As long as an answer takes, since a user who has
   * paused so long mostly pauses so long again; longer where answers came too late or are rarely accepted.
   */
  pause(isInWord = false): number {
    const pause = this.#latency * this.#patience * (1.6 - 2 * Math.min(this.#acceptance, 0.6));
    return Math.round(Math.min(longestPause, Math.max(shortestPause, pause)) * (isInWord ? inWord : 1));
  }

  /** Whether the pause is as long as it can be. */
  get isSlowed(): boolean {
    return this.pause() === longestPause;
  }

  /** Why nothing may be asked for now; `undefined` if it may. */
  get silence(): Silence | undefined {
    if (this.#isRefused) return "refused";
    if (this.#options.now() < this.#silentUntil) return "limited";
    return this.#lastHour().length >= this.#options.mostPerHour ? "hour" : undefined;
  }

  /** When the silence ends, on the clock of the options; `undefined` if there is none or it does not end by itself. */
  get silentUntil(): number | undefined {
    const { silence } = this;
    if (silence === "limited") return this.#silentUntil;
    const [first] = this.#starts;
    return silence === "hour" && first !== undefined ? first + hour : undefined;
  }

  /** Notes that a request is made. */
  start(): void {
    this.#starts = [...this.#lastHour(), this.#options.now()];
  }

  /** Notes how a request ended; `latency` is the time to the first text, in milliseconds. */
  end(outcome: CompletionOutcome, latency?: number, retryAfter = 0): void {
    if (outcome === "refused") this.#isRefused = true;
    if (outcome === "failed") this.#failures += 1;
    const isFailing = outcome === "failed" && this.#failures >= mostFailures;
    if (outcome === "limited" || isFailing) this.#silence(retryAfter);
    if (outcome !== "answered") return;
    this.#failures = 0;
    this.#limits = 0;
    if (latency === undefined) return;
    this.#latency = this.#measured ? this.#latency * (1 - newest) + latency * newest : latency;
    this.#measured = true;
  }

  /** Notes whether an answer could be shown; not if it came too late. */
  used(isUsed: boolean): void {
    const patience = this.#patience * (isUsed ? lessPatience : morePatience);
    this.#patience = Math.min(mostPatience, Math.max(leastPatience, patience));
  }

  /** Notes whether a suggestion that could be read was accepted. */
  shown(isAccepted: boolean): void {
    this.#acceptance = this.#acceptance * (1 - newest) + (isAccepted ? newest : 0);
  }

  /** Forgets what was refused, after the key or the model has changed. */
  reset(): void {
    this.#isRefused = false;
    this.#limits = 0;
    this.#failures = 0;
    this.#silentUntil = 0;
  }

  /** Each limit in a row doubles the silence. */
  #silence(retryAfter: number): void {
    const wait = Math.min(longestSilence, firstSilence * 2 ** this.#limits);
    this.#limits = Math.min(this.#limits + 1, 10);
    this.#silentUntil = Math.max(this.#silentUntil, this.#options.now() + Math.max(wait, retryAfter));
  }

  #lastHour(): number[] {
    const since = this.#options.now() - hour;
    return this.#starts.filter((start) => start > since);
  }
}
