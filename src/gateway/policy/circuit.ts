/** Failures until a circuit opens, and its first and longest pause. All times are milliseconds of a monotonic clock. */
const failuresToOpen = 3;
const firstPause = 30_000;
const longestPause = 300_000;

/** A circuit's response to an operation. */
export type Permission = "closed" | "trial" | "open" | "due";

/**
 * One circuit breaker. Closed, it permits everything. Open, it blocks everything until its pause is over; then a
 * liveness check is `due`, after which one operation may pass as a trial. The trial closes the circuit or doubles the
 * pause. So does a failed check, but after the longest pause the trial comes all the same: an entry may ignore checks.
 */
export class Circuit {
  #failures = 0;
  #hasSucceeded = false;
  #since: number | undefined;
  #pause = 0;
  #openedAt = 0;
  #openUntil = 0;
  #state: "closed" | "open" | "checking" | "ready" | "trying" = "closed";

  get isClosed(): boolean {
    return this.#state === "closed";
  }

  /** Whether an operation has ever succeeded. */
  get isProven(): boolean {
    return this.#hasSucceeded;
  }

  /** When the current series of failures began. */
  get since(): number | undefined {
    return this.#since;
  }

  /** When an open circuit permits a trial. */
  get nextTry(): number | undefined {
    return this.isClosed ? undefined : this.#openUntil;
  }

  /** The permission at time `now`. */
  permission(now: number): Permission {
    if (this.#state === "closed") return "closed";
    if (this.#state === "ready") return "trial";
    return this.#state === "open" && now >= this.#openUntil ? "due" : "open";
  }

  /** Marks the liveness check as running. */
  startCheck(): void {
    this.#state = "checking";
  }

  /** Ends the liveness check. */
  endCheck(isAlive: boolean, now: number): void {
    if (this.#state !== "checking") return;
    if (isAlive || now - this.#openedAt >= longestPause) this.#state = "ready";
    else this.#wait(now);
  }

  /** Marks the trial as running. */
  startTrial(): void {
    this.#state = "trying";
  }

  /** Releases a trial without a result, such as a cancelled one. */
  releaseTrial(): void {
    if (this.#state === "trying") this.#state = "ready";
  }

  /** A request error ends a trial successfully and is otherwise ignored. */
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

  /** Records a failure. `opensAtOnce`: another entry can serve meanwhile. */
  fail(now: number, opensAtOnce: boolean): void {
    this.#failures += 1;
    this.#since ??= now;
    // Also when `ready`: a trial that lost a kept connection was released and fails finally on a fresh one.
    const isOnTrial = this.#state === "trying" || this.#state === "ready";
    if (isOnTrial || (this.isClosed && (opensAtOnce || this.#failures >= failuresToOpen))) {
      this.#openedAt = now;
      this.#wait(now);
    }
  }

  #wait(now: number): void {
    this.#pause = Math.min(longestPause, this.#pause === 0 ? firstPause : this.#pause * 2);
    this.#openUntil = Math.min(now + this.#pause, this.#openedAt + longestPause);
    this.#state = "open";
  }
}
