/** When a circuit breaker opens and for how long. Times here are milliseconds of a monotonic clock. */
const failuresToOpen = 3;
const firstPause = 30_000;
const longestPause = 300_000;

/** What a circuit says to an operation that wants to pass. */
export type Permission = "closed" | "trial" | "open" | "due";

/**
 * One circuit breaker. Closed, it lets everything pass. Open, nothing, until its pause is over: then it is `due` for a
 * liveness check, after which one operation may pass as a trial. Its end closes the circuit or doubles the pause.
 */
export class Circuit {
  #failures = 0;
  #hasSucceeded = false;
  #since: number | undefined;
  #pause = 0;
  #openUntil = 0;
  #state: "closed" | "open" | "checking" | "ready" | "trying" = "closed";

  get isClosed(): boolean {
    return this.#state === "closed";
  }

  /** Whether anything has ever passed to a good end. */
  get isProven(): boolean {
    return this.#hasSucceeded;
  }

  /** Since when it has been failing. */
  get since(): number | undefined {
    return this.#since;
  }

  /** When an open circuit lets something pass again. */
  get nextTry(): number | undefined {
    return this.isClosed ? undefined : this.#openUntil;
  }

  /** Asks for a passage at time `now`. */
  permission(now: number): Permission {
    if (this.#state === "closed") return "closed";
    if (this.#state === "ready") return "trial";
    return this.#state === "open" && now >= this.#openUntil ? "due" : "open";
  }

  /** A liveness check has begun; nobody else needs to begin one. */
  startCheck(): void {
    this.#state = "checking";
  }

  /** The liveness check has ended. */
  endCheck(isAlive: boolean, now: number): void {
    if (this.#state !== "checking") return;
    if (isAlive) this.#state = "ready";
    else this.#open(now);
  }

  /** An operation passes as the trial. */
  startTrial(): void {
    this.#state = "trying";
  }

  /** The trial ended without telling anything, as by a cancel. */
  releaseTrial(): void {
    if (this.#state === "trying") this.#state = "ready";
  }

  /** The entry answered with an error that is not its own: that ends a trial well, and counts for nothing else. */
  answer(): void {
    if (this.#state === "trying") this.succeed();
  }

  succeed(): void {
    this.#hasSucceeded = true;
    this.#state = "closed";
    this.#failures = 0;
    this.#pause = 0;
    this.#since = undefined;
  }

  /** Counts a failure; `opensAtOnce` where another entry can serve meanwhile. */
  fail(now: number, opensAtOnce: boolean): void {
    this.#failures += 1;
    this.#since ??= now;
    // Ready too: a trial that lost a kept connection has been released, and fails for good on a fresh one.
    const isOnTrial = this.#state === "trying" || this.#state === "ready";
    if (isOnTrial || (this.isClosed && (opensAtOnce || this.#failures >= failuresToOpen))) {
      this.#open(now);
    }
  }

  #open(now: number): void {
    this.#pause = Math.min(longestPause, this.#pause === 0 ? firstPause : this.#pause * 2);
    this.#openUntil = now + this.#pause;
    this.#state = "open";
  }
}
