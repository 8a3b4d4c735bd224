import type { EntryHealth, EntryName } from "../gateway/types.ts";
import type { AwayInterval } from "./usageRow.ts";

/** What a watch needs. */
export interface AwayWatchOptions {
  /** Milliseconds since the epoch, and those of a monotonic clock. */
  readonly now: () => number;
  readonly elapsed: () => number;
  readonly onAway: (interval: AwayInterval) => void;
}

/**
 * How long an entry counts as away after its last failure, in milliseconds, unless there is news earlier: the client's
 * longest pause before it tries again. After that, its state is unknown until the next request.
 */
const knownFor = 300_000;

/** Derives from the entries' health when they were away. */
export class AwayWatch {
  readonly #options: AwayWatchOptions;
  /** When each entry was last seen failing, on the monotonic clock. */
  readonly #seen = new Map<EntryName, number>();

  constructor(options: AwayWatchOptions) {
    this.#options = options;
  }

  onHealth(health: readonly EntryHealth[]): void {
    const elapsed = this.#options.elapsed();
    for (const { entry, isHealthy, failingSince } of health) {
      this.#count(entry, elapsed);
      if (isHealthy) this.#seen.delete(entry);
      else this.#seen.set(entry, this.#seen.has(entry) ? elapsed : this.#start(failingSince, elapsed));
      // The time up to the failure that opened the circuit is known, too.
      if (!isHealthy) this.#count(entry, elapsed);
    }
  }

  /** Counts what is known up to now. */
  dispose(): void {
    for (const entry of this.#seen.keys()) this.#count(entry, this.#options.elapsed());
    this.#seen.clear();
  }

  /** Counts the time since an entry was last seen failing. A clock that is set meanwhile does not change how long. */
  #count(entry: EntryName, elapsed: number): void {
    const seen = this.#seen.get(entry);
    if (seen === undefined) return;
    const passed = Math.round(elapsed - seen);
    const from = this.#options.now() - passed;
    if (passed > 0) this.#options.onAway({ entry, from, to: from + Math.min(passed, knownFor) });
    this.#seen.set(entry, elapsed);
  }

  #start(failingSince: number | undefined, elapsed: number): number {
    const before = failingSince === undefined ? 0 : this.#options.now() - failingSince;
    return elapsed - Math.min(Math.max(0, before), knownFor);
  }
}
