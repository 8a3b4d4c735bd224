import { isDeepStrictEqual } from "node:util";
import { configuredEntries, type Entry } from "../baseUrl.ts";
import { systemAddresses } from "../network/stalenessWatch.ts";
import { Network } from "../network/network.ts";
import { Breaker } from "../policy/breaker.ts";
import { type Clock, systemClock } from "../policy/clock.ts";
import { Memory } from "../policy/memory.ts";
import { ActiveRateLimits } from "../policy/activeRateLimits.ts";
import type { KeyedOperation } from "../policy/rules.ts";
import type { GatewayOptions, GatewaySettings, Observe } from "../types.ts";
import { defaultTimeLimits, type TimeLimits } from "../timeLimits.ts";

/** Overrides for tests and benchmarks. */
export interface Tuning {
  readonly limits?: Partial<TimeLimits>;
  readonly clock?: Clock;
  /** Returns a number in [0, 1). Default: `Math.random`. */
  readonly random?: () => number;
  /** Returns the machine's network addresses as one text. */
  readonly addresses?: () => string;
}

/** The context that all operations of a client share. */
export interface SharedContext {
  /** The settings that everything learned belongs to. */
  readonly settings: GatewaySettings;
  /** The entries that they configure, primary first. Throws like `configuredEntries`. */
  readonly entries: () => readonly [Entry, ...Entry[]];
  readonly network: Network;
  readonly breaker: Breaker;
  readonly limits: TimeLimits;
  readonly clock: Clock;
  /** A number in [0, 1). */
  readonly random: () => number;
  readonly rateLimits: ActiveRateLimits;
  /** Facts that operations have learned about the entries. */
  readonly memory: Memory;
  /** Whether an entry responds to anything within `limit` milliseconds. */
  isAlive(entry: Entry, limit: number, signal: AbortSignal): Promise<boolean>;
  readonly host: GatewayOptions;
}

/** The context of an operation. */
export interface OperationContext {
  readonly shared: SharedContext;
  readonly operation: KeyedOperation;
  readonly model: string;
  readonly entries: readonly [Entry, ...Entry[]];
  /**
   * The key for an entry, if possible another one than `refused`. Throws `GatewayError` if there is none, or if it must
   * not be sent there.
   */
  keyFor(entry: Entry, refused?: string): Promise<string>;
  /** What the request is for, for reports. */
  readonly feature: string | undefined;
  /** `one`: no retry or failover. */
  readonly attempts: "one" | "several";
  /** Whether it runs in the background, so that it respects rate limits of other operations. */
  readonly isAutomatic: boolean;
  readonly signal: AbortSignal;
  readonly observe: Observe;
}

/**
 * Creates a context for the current settings, in which nothing is learned yet. Running operations use the context with
 * which they began, and no longer report health after a change of settings. `closed` aborts when the client closes.
 */
export function createSharedContext(
  host: GatewayOptions,
  tuning: Tuning,
  closed: AbortSignal,
  known?: Network,
): SharedContext {
  const { clock = systemClock, random = Math.random, addresses = systemAddresses } = tuning;
  const network = known ?? new Network(() => host.settings(), { clock, addresses });
  const limits = { ...defaultTimeLimits, ...tuning.limits };
  const settings = host.settings();
  let configured: readonly [Entry, ...Entry[]] | undefined;
  const entries = () => (configured ??= configuredEntries(settings));
  const isAlive: SharedContext["isAlive"] = (entry, limit, signal) =>
    hasAnswer(network, entry, limit, AbortSignal.any([signal, closed, AbortSignal.timeout(limit)]));
  const breaker = new Breaker({
    clock,
    isAlive: async (name) => {
      const entry = entries().find((known) => known.name === name);
      if (entry === undefined) return false;
      const responds = await isAlive(entry, limits.connect, closed);
      if (!responds && !closed.aborted) network.drop(new URL(entry.baseUrl));
      return responds;
    },
    onChange: (health) => {
      if (isDeepStrictEqual(host.settings(), settings)) host.onEvent?.({ type: "health", health });
    },
  });
  const learned = { breaker, rateLimits: new ActiveRateLimits(), memory: new Memory(() => clock.elapsed()) };
  return { settings, entries, network, limits, clock, random, isAlive, host, ...learned };
}

/** Whether an entry responds before `signal` aborts, on a new connection, without a key. Never rejects. */
async function hasAnswer(network: Network, { baseUrl }: Entry, limit: number, signal: AbortSignal): Promise<boolean> {
  try {
    const request = { method: "HEAD", url: new URL(`${baseUrl}/v1`), headers: {} } as const;
    const limits = { connect: limit, headers: limit, idle: limit };
    const answer = await network.send(request, { signal, limits, isFresh: true });
    answer.close();
    return true;
  } catch {
    return false;
  }
}
