import { LinkedController } from "../abort.ts";
import { GatewayError } from "../errors.ts";
import type { Entry } from "../baseUrl.ts";
import type { Lease } from "../policy/breaker.ts";
import { decide, isLongLimit, mayMove, requestsLeft, type OperationState, type OtherEntry } from "../policy/decide.ts";
import { finalError, recordUnresolvedNames } from "./finalError.ts";
import type { OperationContext, Turn } from "./sharedContext.ts";

/**
 * The outer of two loops: tries one entry after the other, as `decide` says, until one answers. `settle` is the inner
 * loop, and throws one error for all its requests. Throws the most useful `GatewayError`, with the others in `attempts`.
 */
export async function failOver<T>(context: OperationContext, settle: (turn: Turn) => Promise<T>): Promise<T> {
  using lease = context.shared.breaker.pick(context.entries, context.model);
  return await new Failover(context, lease, settle).run();
}

/** The failover of one operation. */
class Failover<T> {
  readonly #context: OperationContext;
  readonly #lease: Lease<Entry>;
  readonly #settle: (turn: Turn) => Promise<T>;
  /** The error of each turn, and every failure. */
  readonly #failures: GatewayError[] = [];
  readonly #history: GatewayError[] = [];
  readonly #untried: Set<Entry>;
  /** The branches of a hedge: the turn at the silent entry, and those at the other one. */
  readonly #branches = new Set<AbortController>();
  #entry: Entry;
  /** When the operation's first request began, and the first at this entry. */
  #startedAt: number | undefined;
  #startedHere: number | undefined;
  #attemptsHere = 0;
  #isWhole = false;
  #isFresh: boolean;
  /** Whether a rate limit of another operation is ignored at this entry. */
  #ignoresLimit = false;

  constructor(context: OperationContext, lease: Lease<Entry>, settle: (turn: Turn) => Promise<T>) {
    this.#context = context;
    this.#lease = lease;
    this.#settle = settle;
    this.#entry = lease.entry;
    this.#untried = new Set(context.entries);
    // An idle connection may be stale, which must not lose a paid image.
    this.#isFresh = context.operation === "image";
  }

  async run(): Promise<T> {
    try {
      const result = await this.#proceed();
      recordUnresolvedNames(this.#failures, this.#context);
      return result;
    } catch (error) {
      this.#context.signal.throwIfAborted();
      throw error instanceof GatewayError ? finalError(this.#failures, this.#history, this.#context) : error;
    }
  }

  /** Takes turns from the current entry on. */
  async #proceed(): Promise<T> {
    const branch = new LinkedController(this.#context.signal);
    this.#branches.add(branch);
    const { signal } = branch;
    const win = (): void => {
      signal.throwIfAborted();
      for (const other of this.#branches) if (other !== branch) other.abort(new Error("The other entry was faster."));
    };
    for (;;) {
      this.#untried.delete(this.#entry);
      const silence = Promise.withResolvers<GatewayError>();
      const running = this.#settle(this.#turn(signal, win, silence.resolve));
      let silent: GatewayError | undefined;
      try {
        silent = await Promise.race([running.then(() => undefined), silence.promise]);
        if (silent === undefined) return await running;
      } catch (error) {
        if (!(error instanceof GatewayError) || signal.aborted) throw error;
        await this.#proceedAfter(error, signal);
        continue;
      }
      return await this.#hedge(running, silent);
    }
  }

  #turn(signal: AbortSignal, win: () => void, hedge: (failure: GatewayError) => void): Turn {
    const { attempts, model, operation, shared } = this.#context;
    const entry = this.#entry;
    const other = this.#other;
    const isReady = (): boolean =>
      mayMove({ attempts: this.#history.length + 1, elapsed: Infinity, other: this.#otherState });
    return {
      entry,
      isFresh: this.#isFresh,
      hasHealthyBackup: other !== undefined && shared.breaker.isHealthy(other.name, model),
      isWhole: this.#isWhole,
      ignoresLimit: this.#ignoresLimit,
      standby: attempts === "several" && operation !== "image" ? { isReady, hedge } : undefined,
      history: this.#history,
      elapsed: () => {
        const now = shared.clock.elapsed();
        this.#startedAt ??= now;
        this.#startedHere ??= now;
        return now - this.#startedHere;
      },
      signal,
      win,
    };
  }

  /** Sends the request to the other entry, too. The first of the two to send a part wins: see `win`. */
  async #hedge(running: Promise<T>, silent: GatewayError): Promise<T> {
    const index = this.#failures.push(silent) - 1;
    this.#history.push(silent);
    const original = running.catch((error: unknown) => {
      // Any other error means that it was canceled.
      if (error instanceof GatewayError && !this.#context.signal.aborted) {
        this.#failures[index] = error;
        this.#history.splice(this.#history.indexOf(silent), 1);
      }
      throw error;
    });
    this.#moveTo(this.#other ?? this.#entry);
    const rest = this.#proceed();
    return await Promise.any([original, rest]).catch(() => rest);
  }

  /** Waits before the next turn, or throws the error of the last one, as `decide` says. */
  async #proceedAfter(failure: GatewayError, signal: AbortSignal): Promise<void> {
    const { attempts, isUnasked, observe, operation, shared } = this.#context;
    const { clock, random } = shared;
    // A limit of another operation. Waiting for it is not an attempt of this one.
    const isKnownLimit = failure.kind === "rateLimited" && failure.sent === "no";
    if (!isKnownLimit) this.#record(failure);
    const decision =
      attempts === "one"
        ? ({ action: "stop" } as const)
        : decide(operation, failure, this.#stateAfter(failure), random);
    if (isKnownLimit && decision.action === "stop" && isLongLimit(failure) && !isUnasked) {
      this.#ignoresLimit = true;
      return;
    }
    if (isKnownLimit && decision.action !== "again") this.#record(failure);
    if (decision.action === "stop") throw failure;
    const isAgain = decision.action === "again";
    if (isAgain) observe({ type: "retrying", entry: this.#entry.name, delay: decision.delay });
    if (isAgain || decision.delay > 0) await clock.sleep(decision.delay, signal);
    if (!isAgain) this.#moveTo(this.#other ?? this.#entry);
    else if (!isKnownLimit) {
      this.#isWhole ||= failure.kind === "serverError";
      this.#isFresh = true;
    }
  }

  #record(failure: GatewayError): void {
    this.#attemptsHere += 1;
    this.#failures.push(failure);
    if (!this.#history.includes(failure)) this.#history.push(failure);
  }

  #stateAfter({ kind }: GatewayError): OperationState {
    const { model, shared } = this.#context;
    return {
      attempts: this.#history.length,
      attemptsHere: Math.max(1, this.#attemptsHere),
      elapsed: this.#elapsed,
      ofThisKind: Math.max(1, this.#failures.filter((failure) => failure.kind === kind).length),
      other: this.#otherState,
      isProven: shared.breaker.isProven(this.#entry.name, model),
    };
  }

  #moveTo(entry: Entry): void {
    const { operation } = this.#context;
    // If it was a trial, another operation may have it now.
    this.#lease[Symbol.dispose]();
    // There is no time for a retry if an idle connection turns out to be stale.
    const isLate = requestsLeft({ attempts: 0, elapsed: this.#elapsed }) === 0;
    this.#entry = entry;
    this.#attemptsHere = 0;
    this.#startedHere = undefined;
    this.#isWhole = false;
    this.#isFresh = operation === "image" || isLate;
    this.#ignoresLimit = false;
  }

  /** Milliseconds since the operation's first request. */
  get #elapsed(): number {
    return this.#startedAt === undefined ? 0 : this.#context.shared.clock.elapsed() - this.#startedAt;
  }

  /** The entry that was not tried yet. */
  get #other(): Entry | undefined {
    const [other] = this.#untried;
    return other;
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
