import type { Entry } from "../entries.ts";
import type { Limits } from "../limits.ts";
import type { Network } from "../network/network.ts";
import type { Breaker } from "../policy/breaker.ts";
import type { FullClock } from "../policy/clock.ts";
import type { RateLimits } from "../policy/rateLimits.ts";
import type { AttemptReport, ModelLimit } from "../types.ts";

/** The context that all operations of a client share. */
export interface SharedContext {
  readonly network: Network;
  readonly breaker: Breaker;
  readonly limits: Limits;
  readonly clock: FullClock;
  /** A number in [0, 1). */
  readonly random: () => number;
  readonly rateLimits: RateLimits;
  /**
   * Base URLs of entries that have responded to a liveness check during an answer. Only for these does silence mean
   * that they are dead.
   */
  readonly lively: Set<string>;
  isAlive(entry: Entry, signal: AbortSignal): Promise<boolean>;
  onAttempt(report: AttemptReport): void;
  onTokenLimit(limit: ModelLimit): void;
}
