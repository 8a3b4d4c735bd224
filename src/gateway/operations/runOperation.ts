import type { Entry } from "../entries.ts";
import { GatewayError, withDetails } from "../errors.ts";
import { isNameNotResolved } from "../network/transportErrors.ts";
import { decide, isLastNext, mayStart, type OtherEntry } from "../policy/decide.ts";
import type { EntryName, WaitingEvent } from "../types.ts";
import { finalError, type OperationTarget, recordUnresolvedNames, type Refused } from "./finalError.ts";
import { outcomeOf } from "./outcome.ts";
import type { SharedContext } from "./sharedContext.ts";

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
}

/** The context of an operation. */
export interface OperationContext extends OperationTarget {
  readonly shared: SharedContext;
  /** The key for an entry. Throws `GatewayError` if there is none, or if it must not be sent there. */
  keyFor(entry: Entry): Promise<string>;
  /** What the request is for, for reports. */
  readonly feature: string | undefined;
  /** `one`: the policy is not asked after a failure. */
  readonly attempts: "one" | "several";
  readonly signal: AbortSignal;
  readonly observe: (event: WaitingEvent) => void;
}

/** Changes a rejected request so that it is worth repeating, if possible: see `FieldChoice`. */
type Revise = (failure: GatewayError, entry: EntryName, isLast: boolean) => Refused["by"] | undefined;

/**
 * Makes attempts at the entries until one succeeds or the policy stops. Throws the most useful `GatewayError`, with the
 * other failures in `attempts`.
 */
export async function runOperation<T>(
  context: OperationContext,
  attempt: (attempt: AttemptPlan) => Promise<T>,
  revise: Revise = () => undefined,
): Promise<T> {
  const { operation, model, entries, shared, signal, observe } = context;
  const { breaker, clock, random } = shared;
  const [primary, backup] = entries;
  const start = breaker.start(backup ? ["primary", "backup"] : ["primary"], model);
  let entry = entries.find(({ name }) => name === start) ?? primary;
  const untried = new Set(entries);
  const failures: GatewayError[] = [];
  const refusals: Refused[] = [];
  /** Start of the first attempt. A preceding question to the user does not count. */
  let startedAt: number | undefined;
  let attemptsHere = 0;
  let isWhole = false;
  // A kept connection may be stale, which must not lose a paid image.
  let isFresh = operation === "image";

  for (;;) {
    untried.delete(entry);
    attemptsHere += 1;
    const [other] = untried;
    try {
      const hasHealthyBackup = other !== undefined && breaker.isHealthy(other.name, model);
      const key = await context.keyFor(entry);
      startedAt ??= clock.elapsed();
      const result = await attempt({ entry, key, isFresh, hasHealthyBackup, isWhole, earlier: [...failures] });
      recordUnresolvedNames(failures, context);
      return result;
    } catch (error) {
      if (!(error instanceof GatewayError) || signal.aborted) {
        breaker.record(entry.name, model, "nothing");
        throw error;
      }
      const failure = withDetails(error, { entry: entry.name });
      failures.push(failure);
      if (!isNameNotResolved(failure)) breaker.record(entry.name, model, outcomeOf(failure, isFresh));
      const attempts = failures.length;
      const elapsed = startedAt === undefined ? 0 : clock.elapsed() - startedAt;
      const by = mayStart({ attempts, elapsed }) ? revise(failure, entry.name, isLastNext(attempts)) : undefined;
      if (by !== undefined) {
        refusals.push({ failure, by });
        attemptsHere -= 1;
        continue;
      }
      if (context.attempts === "one") throw finalError(failures, refusals, context);
      const state = {
        attempts,
        attemptsHere,
        elapsed,
        ofThisKind: failures.filter(({ kind }) => kind === failure.kind).length,
        other: otherEntry(other, context),
        isProven: breaker.isProven(entry.name, model),
      };
      const decision = decide(operation, failure, state, random);
      const next = decision.action === "again" ? entry : other;
      if (decision.action === "stop" || next === undefined) throw finalError(failures, refusals, context);
      if (decision.action === "again") observe({ type: "retrying", entry: entry.name, delay: decision.delay });
      if (decision.delay > 0 || decision.action === "again") await clock.sleep(decision.delay, signal);
      isWhole = next === entry && (isWhole || failure.kind === "serverError");
      isFresh = operation === "image" || next === entry;
      if (next !== entry) attemptsHere = 0;
      entry = next;
    }
  }
}

function otherEntry(other: Entry | undefined, context: OperationContext): OtherEntry {
  const { entries, model, operation } = context;
  const { breaker, clock, rateLimits } = context.shared;
  if (entries.length === 1) return "none";
  if (other === undefined) return "tried";
  if (!breaker.isHealthy(other.name, model)) return "failing";
  return rateLimits.isLimited({ operation, entry: other.name }, clock.elapsed()) ? "limited" : "healthy";
}
