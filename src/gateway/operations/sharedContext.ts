import { configuredEntries, type Entry } from "../baseUrl.ts";
import { systemAddresses } from "../network/connection.ts";
import type { ExchangeLimits } from "../network/exchange.ts";
import { Network } from "../network/network.ts";
import { Breaker } from "../policy/breaker.ts";
import { type Clock, systemClock } from "../policy/clock.ts";
import { RateLimits } from "../policy/rateLimits.ts";
import type { GatewayOptions } from "../types.ts";

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
  /** The settings that everything learned belongs to, as JSON. */
  readonly settings: string;
  readonly network: Network;
  readonly breaker: Breaker;
  readonly limits: Limits;
  readonly clock: Clock;
  /** A number in [0, 1). */
  readonly random: () => number;
  readonly rateLimits: RateLimits;
  /** What operations have learned about the entries. */
  readonly memory: Memory;
  /** Whether an entry responds to anything within `limit` milliseconds. */
  isAlive(entry: Entry, limit: number, signal: AbortSignal): Promise<boolean>;
  readonly owner: GatewayOptions;
}

/** Creates the context of a client that has learned nothing yet. `closed` aborts when the client closes. */
export function createSharedContext(options: GatewayOptions, tuning: Tuning, closed: AbortSignal): SharedContext {
  const { limits, clock = systemClock, random = Math.random, addresses = systemAddresses } = tuning;
  const network = new Network(() => options.settings(), { clock, addresses });
  const context = {
    network,
    limits: { ...defaultLimits, ...limits },
    clock,
    random,
    isAlive: (entry: Entry, limit: number, signal: AbortSignal) =>
      isAlive(network, entry, limit, AbortSignal.any([signal, closed])),
    owner: options,
  };
  return withNothingLearned(context, closed);
}

/**
 * A context that has learned nothing yet under the current settings. Operations that still run keep the context that they
 * began with. Once the settings change, what they find out says nothing about the entries that are set now.
 */
export function withNothingLearned(
  context: Omit<SharedContext, "settings" | "breaker" | "rateLimits" | "memory">,
  closed: AbortSignal,
): SharedContext {
  const { clock, isAlive, limits, network, owner } = context;
  const settings = JSON.stringify(owner.settings());
  const breaker = new Breaker({
    clock,
    isAlive: async (name) => {
      const entry = configuredEntries(owner.settings()).find((known) => known.name === name);
      if (entry === undefined) return false;
      const lives = await isAlive(entry, limits.connect, closed);
      if (!lives && !closed.aborted) network.drop(new URL(entry.baseUrl));
      return lives;
    },
    onChange: (health) => {
      if (JSON.stringify(owner.settings()) === settings) owner.onHealth?.(health);
    },
  });
  return {
    ...context,
    settings,
    breaker,
    rateLimits: new RateLimits(),
    memory: new Memory(() => clock.elapsed()),
  };
}

/**
 * Whether an entry responds to anything at all within `limit` milliseconds. Uses a connection of its own without a key;
 * never rejects.
 */
async function isAlive(network: Network, { baseUrl }: Entry, limit: number, signal: AbortSignal): Promise<boolean> {
  const end = new AbortController();
  const timer = setTimeout(() => {
    end.abort(new Error("The entry did not respond in time."));
  }, limit);
  try {
    const request = { method: "HEAD", url: new URL(`${baseUrl}/v1`), headers: {} } as const;
    const answer = await network.send(request, {
      signal: AbortSignal.any([signal, end.signal]),
      limits: { connect: limit, headers: limit, idle: limit },
      isFresh: true,
      hasHealthyBackup: true,
    });
    await answer.body.return();
    return true;
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}

/** What the client has learned about the entries: facts by subject, each until it expires. */
export class Memory {
  /** For each subject its facts, with the time until which they hold. */
  readonly #subjects = new Map<string, Map<string, number>>();
  readonly #now: () => number;

  /** `now`: milliseconds of a monotonic clock. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** The facts about a subject that hold now. */
  known(subject: string): ReadonlySet<string> {
    const facts = [...(this.#subjects.get(subject) ?? [])];
    return new Set(facts.filter(([, until]) => this.#now() < until).map(([fact]) => fact));
  }

  /** Adds facts about a subject. `lifetime` is in milliseconds. */
  learn(subject: string, facts: Iterable<string>, lifetime = Infinity): void {
    const known = this.#subjects.get(subject) ?? new Map<string, number>();
    for (const fact of facts) known.set(fact, this.#now() + lifetime);
    this.#subjects.set(subject, known);
  }

  /** Forgets all facts about these subjects. */
  forget(...subjects: readonly string[]): void {
    for (const subject of subjects) this.#subjects.delete(subject);
  }
}

/** Time limits of the client, in milliseconds. There is no limit on the total duration of an answer. */
export interface Limits extends ExchangeLimits {
  /** Without data before an entry is checked, while nothing could be done about it but to wait. */
  readonly silence: number;
  /** The same while another entry could answer instead, and after a first failed check. */
  readonly silenceWithStandby: number;
  readonly silenceAfterCheck: number;
  /** Replaces `connect` while another entry is healthy. Also for a whole liveness check of a silent entry. */
  readonly connectWithStandby: number;
  /** Wait for usage or `[DONE]` after the finish reason. */
  readonly afterFinish: number;
  /** Total time for an image download, including retries and redirects. */
  readonly download: number;
  /** Time after which a download no longer holds up others. */
  readonly downloadTurn: number;
}

/** Answers get minutes, not seconds: reasoning models are silent for long, and an image can take minutes. */
export const defaultLimits: Limits = {
  connect: 10_000,
  connectWithStandby: 3_000,
  headers: 600_000,
  idle: 300_000,
  silence: 20_000,
  silenceWithStandby: 5_000,
  silenceAfterCheck: 2_000,
  afterFinish: 1_000,
  download: 600_000,
  downloadTurn: 10_000,
};

/** The subject of how an entry takes liveness checks: they were `taken`, or `ignored` while it answered a request. */
export function checksOf({ baseUrl }: Entry): string {
  return `checks ${baseUrl}`;
}
