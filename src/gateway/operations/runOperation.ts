import { unlessAborted } from "../abort.ts";
import type { Entry } from "../baseUrl.ts";
import { GatewayError, withDetails } from "../errors.ts";
import { isNameNotResolved } from "../network/transportErrors.ts";
import { decide, isLastNext, mayMove, mayRepeat, type OperationState, type OtherEntry } from "../policy/decide.ts";
import type { EntryName } from "../types.ts";
import { finalError, outcomeOf, recordUnresolvedNames, type Refused } from "./finalError.ts";
import { checksOf, type OperationContext } from "./sharedContext.ts";

/** The plan of one attempt. */
export interface AttemptPlan {
  readonly entry: Entry;
  readonly key: string;
  /** Whether to use a new connection for this request only. */
  readonly isFresh: boolean;
  /** Whether another entry is healthy and untried. */
  readonly hasHealthyBackup: boolean;
  /** Whether to request a whole answer, without `stream`, after an internal error of the gateway. */
  readonly isWhole: boolean;
  /** Failures of earlier attempts, oldest first. */
  readonly earlier: readonly GatewayError[];
  readonly signal: AbortSignal;
  /** The other entry, which may be asked too while this one is silent; `undefined` if nothing may be asked twice. */
  readonly standby: Standby | undefined;
  /** Claims the answer: cancels what runs beside this attempt. Throws if the other entry was faster. */
  win(): void;
}

/** An entry that can answer instead of a silent one. */
export interface Standby {
  isReady(): boolean;
  /** Asks it too, because of `failure`. The first of the two to send a part of an answer wins. */
  readonly takeOver: (failure: GatewayError) => void;
}

/** Changes a rejected request so that it is worth repeating, if possible: see `TextPlan`. */
type Revise = (failure: GatewayError, entry: EntryName, isLast: boolean) => Refused["by"] | undefined;

/** Makes attempts until one succeeds or the policy stops. Throws the most useful `GatewayError`, the others in `attempts`. */
export async function runOperation<T>(
  context: OperationContext,
  attempt: (attempt: AttemptPlan) => Promise<T>,
  revise: Revise = () => undefined,
): Promise<T> {
  return await new Run(context, attempt, revise).toEnd();
}

/** The policy has decided to stop. */
class Stopped extends Error {
  override readonly name = "Stopped";
}

/** One operation. */
class Run<T> {
  readonly #context: OperationContext;
  readonly #attempt: (attempt: AttemptPlan) => Promise<T>;
  readonly #revise: Revise;
  readonly #failures: GatewayError[] = [];
  readonly #refusals: Refused[] = [];
  readonly #untried: Set<Entry>;
  /** The attempt at a silent entry, and those at the other one beside it. */
  readonly #branches = new Set<AbortController>();
  #entry: Entry;
  /** Start of the first attempt, and of the first at this entry. A preceding question to the user does not count. */
  #startedAt: number | undefined;
  #startedHere: number | undefined;
  #attemptsHere = 0;
  #isWhole = false;
  #isFresh: boolean;
  #key = "";
  #hasRenewed = false;

  constructor(context: OperationContext, attempt: (attempt: AttemptPlan) => Promise<T>, revise: Revise) {
    this.#context = context;
    this.#attempt = attempt;
    this.#revise = revise;
    const { entries, model, operation, shared } = context;
    this.#entry = shared.breaker.start(entries, model);
    this.#untried = new Set(entries);
    // A kept connection may be stale, which must not lose a paid image.
    this.#isFresh = operation === "image";
  }

  async toEnd(): Promise<T> {
    try {
      const result = await this.#proceed();
      recordUnresolvedNames(this.#failures, this.#context);
      return result;
    } catch (error) {
      this.#context.signal.throwIfAborted();
      throw error instanceof Stopped ? finalError(this.#failures, this.#refusals, this.#context) : error;
    }
  }

  /** Makes attempts from the current entry on. */
  async #proceed(): Promise<T> {
    const branch = new AbortController();
    this.#branches.add(branch);
    const signal = AbortSignal.any([this.#context.signal, branch.signal]);
    const win = (): void => {
      signal.throwIfAborted();
      for (const other of this.#branches) if (other !== branch) other.abort(new Error("The other entry was faster."));
    };
    for (;;) {
      this.#untried.delete(this.#entry);
      this.#attemptsHere += 1;
      const silence = Promise.withResolvers<GatewayError>();
      const running = this.#ask({ signal, win }, silence.resolve);
      let silent: GatewayError | undefined;
      try {
        silent = await Promise.race([running.then(() => undefined), silence.promise]);
        if (silent === undefined) return await running;
      } catch (error) {
        if (!(error instanceof GatewayError) || signal.aborted) {
          this.#context.shared.breaker.record(this.#entry.name, this.#context.model, "nothing");
          throw error;
        }
        await this.#goOn(withDetails(error, { entry: this.#entry.name }), signal);
        continue;
      }
      return await this.#askBeside(running, silent);
    }
  }

  /** Asks the other entry, while the silent one goes on. The first to send a part wins: see `win`. */
  async #askBeside(running: Promise<T>, silent: GatewayError): Promise<T> {
    const [entry, isFresh] = [this.#entry, this.#isFresh];
    const index = this.#failures.push(silent) - 1;
    this.#record(silent, entry, isFresh);
    const left = running.then(
      (result) => {
        this.#context.shared.breaker.record(entry.name, this.#context.model, "answered");
        return result;
      },
      (error: unknown) => {
        // Else it was canceled.
        if (error instanceof GatewayError && !this.#context.signal.aborted) {
          this.#failures[index] = withDetails(error, { entry: entry.name });
          this.#record(error, entry, isFresh);
        }
        throw error;
      },
    );
    this.#moveTo(this.#other ?? entry);
    const rest = this.#proceed();
    return await Promise.any([left, rest]).catch(() => rest);
  }

  /** Decides about a failure, and waits before the next attempt if there is one. Throws `Stopped` if not. */
  async #goOn(failure: GatewayError, signal: AbortSignal): Promise<void> {
    const { attempts: most, observe, operation, shared } = this.#context;
    const { clock, random } = shared;
    const entry = this.#entry;
    this.#failures.push(failure);
    if (!isNameNotResolved(failure)) this.#record(failure, entry, this.#isFresh);
    const attempts = this.#failures.length;
    if (mayRepeat({ attempts, elapsed: this.#since(this.#startedHere) })) {
      if (await this.#hasNewKey(failure, signal)) return;
      const by = this.#revise(failure, entry.name, isLastNext(attempts));
      if (by !== undefined) {
        this.#refusals.push({ failure, by });
        this.#attemptsHere -= 1;
        return;
      }
    }
    if (most === "one") throw new Stopped();
    const decision = decide(operation, failure, this.#stateAfter(failure), random);
    if (decision.action === "stop") throw new Stopped();
    const isAgain = decision.action === "again";
    if (isAgain) observe({ type: "retrying", entry: entry.name, delay: decision.delay });
    if (isAgain || decision.delay > 0) await clock.sleep(decision.delay, signal);
    if (isAgain) {
      this.#isWhole ||= failure.kind === "serverError";
      this.#isFresh = true;
    } else this.#moveTo(this.#other ?? entry);
  }

  /** Whether there is another key than the one that was refused, such as a new one of a command. Asked for once. */
  async #hasNewKey({ kind }: GatewayError, signal: AbortSignal): Promise<boolean> {
    if (kind !== "unauthorized" || this.#hasRenewed) return false;
    this.#hasRenewed = true;
    const refused = this.#key;
    if ((await unlessAborted(this.#context.keyFor(this.#entry, refused), signal)) === refused) return false;
    this.#attemptsHere -= 1;
    return true;
  }

  #stateAfter({ kind }: GatewayError): OperationState {
    const { model, shared } = this.#context;
    return {
      attempts: this.#failures.length,
      attemptsHere: this.#attemptsHere,
      elapsed: this.#since(this.#startedAt),
      ofThisKind: this.#failures.filter((failure) => failure.kind === kind).length,
      other: this.#otherState,
      isProven: shared.breaker.isProven(this.#entry.name, model),
    };
  }

  #moveTo(entry: Entry): void {
    // There is no time for a second try of a kept connection that turns out to be stale.
    const isLate = !mayRepeat({ attempts: 0, elapsed: this.#since(this.#startedAt) });
    this.#entry = entry;
    this.#attemptsHere = 0;
    this.#startedHere = undefined;
    this.#isWhole = false;
    this.#isFresh = this.#context.operation === "image" || isLate;
  }

  /** Tells the breaker what a failure says about its entry. */
  #record(failure: GatewayError, entry: Entry, isFresh: boolean): void {
    const { breaker, memory } = this.#context.shared;
    const outcome = outcomeOf(failure, isFresh);
    breaker.record(entry.name, this.#context.model, outcome);
    // From now on, its silence may mean something.
    const ofChecks = checksOf(entry);
    if (outcome === "connectionFault" && memory.known(ofChecks).has("ignored")) memory.forget(ofChecks);
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

  /** Makes one attempt. Throws what the entry said before if that still holds. */
  async #ask(beside: Pick<AttemptPlan, "signal" | "win">, takeOver: (failure: GatewayError) => void): Promise<T> {
    const { attempts, model, operation, shared } = this.#context;
    const { breaker, clock, rateLimits } = shared;
    const entry = this.#entry;
    const other = this.#other;
    const key = await unlessAborted(this.#context.keyFor(entry), beside.signal);
    this.#key = key;
    const now = clock.elapsed();
    this.#startedAt ??= now;
    this.#startedHere ??= now;
    const limit = rateLimits.failure({ operation, entry: entry.name, model }, now, key);
    if (limit) throw limit;
    const isReady = (): boolean =>
      mayMove({ attempts: this.#failures.length + 1, elapsed: Infinity, other: this.#otherState });
    return await this.#attempt({
      entry,
      key,
      isFresh: this.#isFresh,
      hasHealthyBackup: other !== undefined && breaker.isHealthy(other.name, model),
      isWhole: this.#isWhole,
      earlier: [...this.#failures],
      ...beside,
      standby: attempts === "several" && operation !== "image" ? { isReady, takeOver } : undefined,
    });
  }

  /** Milliseconds since a time; 0 if it has not come. */
  #since(time: number | undefined): number {
    return time === undefined ? 0 : this.#context.shared.clock.elapsed() - time;
  }
}
