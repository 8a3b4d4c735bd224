/** For how long an entry is remembered that answers although its checks fail, in milliseconds. */
const memory = 600_000;

/** Checks in a row that fail before anything follows from it. A single packet may get lost. */
const failuresThatCount = 2;

/**
 * What is known of how entries take liveness checks. An entry may ignore them, or serve one connection at a time: only
 * from one that has taken a check beside an answer does silence mean that it is dead. By base URL.
 */
export class CheckMemory {
  readonly #answered = new Set<string>();
  readonly #ignoredUntil = new Map<string, number>();

  /** A check beside an answer succeeded. */
  noteAnswered(baseUrl: string): void {
    this.#answered.add(baseUrl);
    this.#ignoredUntil.delete(baseUrl);
  }

  /** The entry answered a request although its checks failed. `now`: milliseconds of a monotonic clock. */
  noteIgnored(baseUrl: string, now: number): void {
    if (!this.#answered.has(baseUrl)) this.#ignoredUntil.set(baseUrl, now + memory);
  }

  /** The connection to the entry failed, so that its silence may mean something. */
  noteFault(baseUrl: string): void {
    this.#ignoredUntil.delete(baseUrl);
  }

  /** What a failed check of the entry means. */
  meaning(baseUrl: string, now: number): "dead" | "unknown" | "nothing" {
    if (this.#answered.has(baseUrl)) return "dead";
    return now < (this.#ignoredUntil.get(baseUrl) ?? -Infinity) ? "nothing" : "unknown";
  }
}

/** Milliseconds without data before an entry is checked. */
export interface SilenceLimits {
  /** While nothing could be done about it but to wait. */
  readonly silence: number;
  /** While another entry could answer instead. */
  readonly silenceWithStandby: number;
  /** After a first failed check. */
  readonly silenceAfterCheck: number;
}

/** Options for watching an entry that has been asked. */
export interface SilenceOptions {
  readonly limits: SilenceLimits;
  readonly baseUrl: string;
  readonly checks: CheckMemory;
  /** Milliseconds of a monotonic clock. */
  readonly elapsed: () => number;
  /** Whether the entry responds on another connection. Never rejects. */
  readonly isAlive: (signal: AbortSignal) => Promise<boolean>;
  /** Whether another entry could answer instead. */
  readonly canLeave: () => boolean;
  /** The entry is alive, so the model is still thinking. */
  readonly onThinking: () => void;
  /** Two checks in a row have failed. `canLeave`: another entry could answer instead. */
  readonly onSilent: (meaning: "dead" | "unknown", canLeave: boolean) => void;
}

/**
 * Watches an entry from a request to the end of its answer, and checks it whenever it is silent. Two failed checks in a
 * row count.
 */
export class SilentEntry {
  readonly #options: SilenceOptions;
  readonly #end = new AbortController();
  #timer: NodeJS.Timeout;
  #failures = 0;
  /** Counts what arrives, so that a check that was overtaken by data counts for nothing. */
  #arrivals = 0;
  #hasBegun = false;

  constructor(options: SilenceOptions) {
    this.#options = options;
    this.#timer = this.#started();
  }

  /** Data has arrived. */
  touch(): void {
    if (this.#end.signal.aborted) return;
    this.#arrivals += 1;
    const { baseUrl, checks, elapsed } = this.#options;
    if (this.#failures >= failuresThatCount) checks.noteIgnored(baseUrl, elapsed());
    if (this.#failures === 0) this.#timer.refresh();
    else this.#restart(0);
  }

  /** The first part of the answer has arrived, so that no other entry can be asked any more. */
  begin(): void {
    this.#hasBegun = true;
    if (!this.#end.signal.aborted) this.#restart(0);
  }

  stop(): void {
    this.#end.abort();
    clearTimeout(this.#timer);
  }

  async #check(): Promise<void> {
    const arrivals = this.#arrivals;
    const { baseUrl, checks, elapsed, isAlive, onSilent, onThinking } = this.#options;
    const lives = await isAlive(this.#end.signal);
    if (this.#end.signal.aborted || arrivals !== this.#arrivals) return;
    this.#restart(lives ? 0 : this.#failures + 1);
    if (lives) {
      checks.noteAnswered(baseUrl);
      onThinking();
    }
    if (this.#failures < failuresThatCount) return;
    const meaning = checks.meaning(baseUrl, elapsed());
    if (meaning !== "nothing") onSilent(meaning, this.#canLeave);
  }

  get #canLeave(): boolean {
    return !this.#hasBegun && this.#options.canLeave();
  }

  #restart(failures: number): void {
    this.#failures = failures;
    clearTimeout(this.#timer);
    this.#timer = this.#started();
  }

  #started(): NodeJS.Timeout {
    const { silence, silenceWithStandby, silenceAfterCheck } = this.#options.limits;
    const usual = this.#canLeave ? Math.min(silence, silenceWithStandby) : silence;
    const limit = this.#failures === 1 ? Math.min(usual, silenceAfterCheck) : usual;
    return setTimeout(() => void this.#check(), limit);
  }
}
