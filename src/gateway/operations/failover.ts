import { LinkedController, unlessAborted } from "../abort.ts";
import type { Entry } from "../baseUrl.ts";
import { GatewayError, withDetails } from "../errors.ts";
import type { Lease } from "../policy/breaker.ts";
import { decide, mayMove, mayWait, requestsLeft, type OperationState, type OtherEntry } from "../policy/retryPolicy.ts";
import { finalError, recordUnresolvedNames } from "./finalError.ts";
import type { OperationContext } from "./sharedContext.ts";

/** The entry to ask next, and how: by one request, or by several of different shapes. */
export interface Target {
  readonly entry: Entry;
  /** Whether to use a new connection, for this request only. */
  readonly isFresh: boolean;
  /** Whether to request a whole answer, without `stream`, after an internal error of the gateway. */
  readonly withoutStream: boolean;
  /** Whether to leave items out, after a failure that comes again if an upstream refuses them (Wei-Shaw/sub2api#3038). */
  readonly withoutItems: boolean;
  readonly signal: AbortSignal;
  /** The failures of the operation so far, oldest first. */
  readonly history: readonly GatewayError[];
  /** Whether the operation could move to the other entry now, because that is healthy and untried. */
  isOtherReady(): boolean;
  /** Sends the request to the other entry, too, because of `failure`. The first to send a part of an answer wins. */
  hedge(failure: GatewayError): void;
  /** Claims the answer, and cancels the request to the other entry. Throws if that was faster. */
  win(): void;
}

/** The requests of an operation to one entry. */
export interface EntryRequests<T> {
  ask(target: Target, key: string): Promise<T>;
  /** Changes the shape after a failure, if that makes another request worthwhile; else returns the error to show. */
  revise?(failure: GatewayError, requestsLeft: number): GatewayError | undefined;
}

/**
 * Asks one entry after the other, as `decide` directs, until one answers. Throws the most useful `GatewayError`, with the
 * others in `attempts`. `requestsTo` is called once for each entry.
 */
export async function failOver<T>(
  context: OperationContext,
  requestsTo: (entry: Entry) => EntryRequests<T>,
): Promise<T> {
  using lease = context.shared.breaker.pick(context.entries, context.model);
  return await new Failover(context, lease, requestsTo).run();
}

/** The part of an operation at one entry. */
interface Visit<T> {
  readonly entry: Entry;
  readonly requests: EntryRequests<T>;
  readonly cancel: AbortController;
  /** Aborts if the operation is canceled, or the other entry was faster. */
  readonly signal: AbortSignal;
  startedAt?: number;
}

/** The two loops of an operation: `#tryEntry` goes from entry to entry, `#negotiate` finds out how one entry answers. */
class Failover<T> {
  readonly #context: OperationContext;
  readonly #lease: Lease<Entry>;
  readonly #requestsTo: (entry: Entry) => EntryRequests<T>;
  /** The entries visited so far: one, or two, both at once in a hedge. */
  readonly #visits: Visit<T>[] = [];
  /** Every failure, oldest first. Their number counts the requests. */
  readonly #history: GatewayError[] = [];
  /** Those of them that the inner loop could not resolve. */
  readonly #failures: GatewayError[] = [];
  /** When the operation's first request began. */
  #startedAt: number | undefined;

  constructor(context: OperationContext, lease: Lease<Entry>, requestsTo: (entry: Entry) => EntryRequests<T>) {
    this.#context = context;
    this.#lease = lease;
    this.#requestsTo = requestsTo;
  }

  async run(): Promise<T> {
    try {
      const result = await this.#tryEntry(this.#lease.entry);
      recordUnresolvedNames(this.#failures, this.#context);
      return result;
    } catch (error) {
      this.#context.signal.throwIfAborted();
      throw error instanceof GatewayError ? finalError(this.#failures, this.#history, this.#context) : error;
    }
  }

  /** The outer loop: asks an entry, once or again, then the other one, as `decide` directs. */
  async #tryEntry(entry: Entry): Promise<T> {
    // Another operation may run the trial of the entry that this one leaves.
    if (this.#visits.length > 0) this.#lease[Symbol.dispose]();
    const cancel = new LinkedController(this.#context.signal);
    const { signal } = cancel;
    const visit: Visit<T> = { entry, requests: this.#requestsTo(entry), cancel, signal };
    this.#visits.push(visit);
    for (;;) {
      try {
        return await this.#ask(visit);
      } catch (error) {
        // After a hedge, the visit to the other entry decides.
        const isCurrent = this.#visits.at(-1) === visit && !signal.aborted;
        if (!(error instanceof GatewayError) || !isCurrent) throw error;
        const next = await this.#decideNext(visit, error);
        if (next !== entry) return await this.#tryEntry(next);
      }
    }
  }

  /** Asks an entry. Once that is silent, asks the one not visited yet, or else the same again: the first to send a part wins. */
  async #ask(visit: Visit<T>): Promise<T> {
    const hedging = Promise.withResolvers<GatewayError>();
    const answer = this.#negotiate(visit, this.#targetOf(visit, hedging.resolve));
    const silence = await Promise.race([answer.then(() => undefined), hedging.promise]);
    if (silence === undefined) return await answer;
    const index = this.#failures.push(silence) - 1;
    this.#history.push(silence);
    const original = answer.catch((error: unknown) => {
      // Its own error, which the inner loop has recorded, replaces the silence, unless it was canceled because the hedge won.
      if (error instanceof GatewayError && !visit.signal.aborted) {
        this.#failures[index] = error;
        this.#history.splice(this.#history.indexOf(silence), 1);
      }
      throw error;
    });
    const hedge = this.#tryEntry(this.#other ?? visit.entry);
    return await Promise.any([original, hedge]).catch(() => hedge);
  }

  #targetOf(visit: Visit<T>, hedge: (failure: GatewayError) => void): Target {
    const { attempts, operation } = this.#context;
    const { entry, signal } = visit;
    const failures = new Set(this.#failuresAt(entry).map(({ kind }) => kind));
    return {
      entry,
      // An idle connection may be stale, which must not cost a paid image, or another attempt.
      isFresh: operation === "image" || this.#failures.length > 0,
      withoutStream: failures.has("serverError"),
      withoutItems: failures.has("serverError") || failures.has("badGateway"),
      signal,
      history: this.#history,
      isOtherReady: () =>
        attempts === "several" &&
        mayMove({ attempts: this.#history.length + 1, elapsed: Infinity, other: this.#otherState }),
      hedge,
      win: () => {
        signal.throwIfAborted();
        const others = this.#visits.filter((other) => other !== visit);
        for (const { cancel } of others) cancel.abort(new Error("The other entry was faster."));
      },
    };
  }

  /**
   * The inner loop: finds out with which key and in which shape an entry answers. Waits for a short rate limit that another
   * operation has met, which is not an attempt of this one. Throws one error for all requests.
   */
  async #negotiate(visit: Visit<T>, target: Target): Promise<T> {
    const context = this.#context;
    const { attempts, isAutomatic, model, observe, operation, shared } = context;
    const { clock, rateLimits } = shared;
    const { entry, requests, signal } = visit;
    let renewed: string | undefined;
    for (;;) {
      const key =
        renewed ??
        (await unlessAborted(context.keyFor(entry), signal).catch((error: unknown) => {
          throw this.#recorded(visit, error);
        }));
      // The clock starts after any question to the user about the key.
      const startedAt = (visit.startedAt ??= clock.elapsed());
      this.#startedAt ??= startedAt;
      const limit = rateLimits.failure({ operation, entry: entry.name, model }, clock.elapsed(), key);
      if (limit) {
        const { retryAfter: delay = 0 } = limit;
        const isShort = mayWait(delay, { attempts: this.#history.length, elapsed: this.#elapsed });
        if (isShort && attempts === "several") {
          observe({ type: "retrying", entry: entry.name, delay });
          await clock.sleep(delay, signal);
          continue;
        }
        // What the user asks for explicitly can always be tried once.
        if (isShort || isAutomatic || (operation !== "image" && target.isOtherReady())) throw limit;
      }
      let failure: GatewayError;
      try {
        return await requests.ask(target, key);
      } catch (error) {
        failure = this.#recorded(visit, error);
      }
      const remaining = requestsLeft({ attempts: this.#history.length, elapsed: clock.elapsed() - startedAt });
      if (failure.kind === "unauthorized" && remaining > 0 && renewed === undefined) {
        renewed = await unlessAborted(context.keyFor(entry, key), signal);
        if (renewed !== key) continue;
      }
      const final = requests.revise ? requests.revise(failure, remaining) : failure;
      if (final) throw final;
    }
  }

  #recorded({ entry, signal }: Visit<T>, error: unknown): GatewayError {
    if (!(error instanceof GatewayError) || signal.aborted) throw error;
    const failure = withDetails(error, { entry: entry.name });
    this.#history.push(failure);
    return failure;
  }

  /** The entry to ask next, after the wait that `decide` requests. Throws the failure if it is final. */
  async #decideNext({ entry, signal }: Visit<T>, failure: GatewayError): Promise<Entry> {
    const { attempts, observe, operation, shared } = this.#context;
    this.#failures.push(failure);
    if (!this.#history.includes(failure)) this.#history.push(failure);
    if (attempts === "one") throw failure;
    const { action, delay } = decide(operation, failure, this.#stateAfter(failure, entry), shared.random);
    if (action === "stop") throw failure;
    if (action === "retry") observe({ type: "retrying", entry: entry.name, delay });
    if (action === "retry" || delay > 0) await shared.clock.sleep(delay, signal);
    return action === "retry" ? entry : (this.#other ?? entry);
  }

  #stateAfter({ kind }: GatewayError, entry: Entry): OperationState {
    const { model, shared } = this.#context;
    const failuresHere = this.#failuresAt(entry);
    return {
      attempts: this.#history.length,
      attemptsHere: failuresHere.length,
      limitsHere: failuresHere.filter((one) => one.kind === "rateLimited").length,
      elapsed: this.#elapsed,
      ofThisKind: this.#failures.filter((failure) => failure.kind === kind).length,
      other: this.#otherState,
      isProven: shared.breaker.isProven(entry.name, model),
    };
  }

  #failuresAt({ name }: Entry): readonly GatewayError[] {
    return this.#failures.filter(({ entry }) => entry === name);
  }

  /** Milliseconds since the operation's first request. */
  get #elapsed(): number {
    return this.#startedAt === undefined ? 0 : this.#context.shared.clock.elapsed() - this.#startedAt;
  }

  /** The entry that was not visited yet. */
  get #other(): Entry | undefined {
    return this.#context.entries.find((entry) => this.#visits.every((visit) => visit.entry !== entry));
  }

  get #otherState(): OtherEntry {
    const { entries, model, operation, shared } = this.#context;
    const { breaker, clock, rateLimits } = shared;
    const other = this.#other;
    if (entries.length === 1) return "none";
    if (other === undefined) return "tried";
    if (!breaker.isHealthy(other.name, model)) return "failing";
    const limit = rateLimits.failure({ operation, entry: other.name, model }, clock.elapsed());
    return limit ? "limited" : "healthy";
  }
}
