import { configuredEntries, type Entry } from "../entries.ts";
import { defaultLimits, type Limits } from "../limits.ts";
import { systemAddresses } from "../network/line.ts";
import { Network } from "../network/network.ts";
import { Breaker } from "../policy/breaker.ts";
import { type Clock, type FullClock, fullClock, systemClock } from "../policy/clock.ts";
import { RateLimits } from "../policy/rateLimits.ts";
import type { AttemptReport, GatewayOptions, ModelLimit, RequestTopic, UseReport } from "../types.ts";
import { isAlive } from "./isAlive.ts";

/** Overrides for tests and benchmarks. */
export interface Tuning {
  readonly limits?: Partial<Limits>;
  readonly clock?: Clock;
  /** Returns a number in [0, 1). Default: `Math.random`. */
  readonly random?: () => number;
  /** Returns the machine's network addresses as one text. */
  readonly addresses?: () => string;
}

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
  onSend(topic: RequestTopic): void;
  onAttempt(report: AttemptReport): void;
  onUse(report: UseReport): void;
  onTokenLimit(limit: ModelLimit): void;
}

/** Creates the context of a client that has learned nothing yet. `closed` aborts when the client closes. */
export function createSharedContext(options: GatewayOptions, tuning: Tuning, closed: AbortSignal): SharedContext {
  const { limits, clock = systemClock, random = Math.random, addresses = systemAddresses } = tuning;
  const time = fullClock(clock);
  const shared: SharedContext = {
    network: new Network(() => options.settings(), { now: time.now, elapsed: time.elapsed, addresses }),
    breaker: new Breaker({
      now: time.now,
      elapsed: time.elapsed,
      isAlive: async (name) => {
        const entry = configuredEntries(options.settings()).find((known) => known.name === name);
        return entry !== undefined && (await shared.isAlive(entry, closed));
      },
      onChange: (health) => options.onHealth?.(health),
    }),
    rateLimits: new RateLimits(),
    lively: new Set(),
    limits: { ...defaultLimits, ...limits },
    clock: time,
    random,
    isAlive: (entry, signal) => isAlive(shared, entry, AbortSignal.any([signal, closed])),
    onSend: (topic) => options.onSend?.(topic),
    onAttempt: (report) => options.onAttempt?.(report),
    onUse: (report) => options.onUse?.(report),
    onTokenLimit: (limit) => options.onTokenLimit?.(limit),
  };
  return shared;
}
