import type { Entry } from "../entries.ts";
import { GatewayError, type GatewayErrorKind, withDetails } from "../errors.ts";
import { isNameNotResolved } from "../network/transportFailure.ts";
import type { Breaker, Outcome } from "../policy/breaker.ts";
import type { Clock } from "../policy/clock.ts";
import { decide, mayBeCharged, type Operation, telling } from "../policy/policy.ts";
import type { WaitingEvent } from "../types.ts";

/** One attempt that an operation is to make. */
export interface Attempt {
  readonly entry: Entry;
  readonly key: string;
  /** On a connection of its own. */
  readonly isFresh: boolean;
  /** Another entry is healthy and not tried yet. */
  readonly hasStandby: boolean;
}

/** What an operation runs on. */
export interface OperationContext {
  readonly operation: Exclude<Operation, "imageFile">;
  readonly model: string;
  readonly entries: readonly [Entry, ...Entry[]];
  /** The key for an entry. Throws `GatewayError` where there is none, or where it may not go there. */
  keyFor(entry: Entry): Promise<string>;
  readonly breaker: Breaker;
  readonly clock: Clock;
  readonly random: () => number;
  readonly signal: AbortSignal;
  readonly observe: (event: WaitingEvent) => void;
}

/**
 * Makes attempts at the entries until one succeeds or the policy says to stop.
 * Throws the `GatewayError` that tells the user most, with the other failures in `attempts`.
 */
export async function runOperation<T>(
  context: OperationContext,
  attempt: (attempt: Attempt) => Promise<T>,
): Promise<T> {
  const { operation, model, entries, breaker, clock, random, signal, observe } = context;
  const [primary, backup] = entries;
  const start = breaker.start(backup ? ["primary", "backup"] : ["primary"], model);
  let entry = entries.find(({ name }) => name === start) ?? primary;
  const untried = new Set(entries);
  const failures: GatewayError[] = [];
  /** When the first attempt began; a question to the user before it takes its time. */
  let startedAt: number | undefined;
  let attemptsHere = 0;
  // A kept connection may be stale, and an image must not be lost to that.
  let isFresh = operation === "image";

  for (;;) {
    untried.delete(entry);
    attemptsHere += 1;
    const [other] = untried;
    try {
      const hasStandby = other !== undefined && breaker.isHealthy(other.name, model);
      const key = await context.keyFor(entry);
      startedAt ??= clock.now();
      const result = await attempt({ entry, key, isFresh, hasStandby });
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
      const elapsed = startedAt === undefined ? 0 : clock.now() - startedAt;
      const standing = { attempts: failures.length, attemptsHere, hasOther: other !== undefined, elapsed };
      const decision = decide(operation, failure, standing, random);
      if (decision.action === "stop" || (decision.action === "other" && other === undefined)) {
        throw finalError(failures, context);
      }
      if (decision.action === "again") {
        observe({ type: "retrying", entry: entry.name, delay: decision.delay });
        await clock.sleep(decision.delay, signal);
        isFresh = true;
      } else if (other !== undefined) {
        entry = other;
        attemptsHere = 0;
        isFresh = operation === "image";
      }
    }
  }
}

/** What a failure says about the entry. A kept connection that is lost says nothing: it may have been stale. */
export function outcomeOf({ kind, status }: GatewayError, isFresh: boolean): Outcome {
  if (kind === "connectionLost" && !isFresh) return "nothing";
  if (kind === "unauthorized" && status === undefined) return "nothing";
  return outcomes[kind] ?? "answered";
}

const outcomes: Partial<Record<GatewayErrorKind, Outcome>> = {
  unreachable: "connectionFault",
  proxyRefused: "connectionFault",
  connectionLost: "connectionFault",
  timeout: "serverFault",
  interrupted: "serverFault",
  serverError: "serverFault",
  overloaded: "serverFault",
  badGateway: "serverFault",
  empty: "serverFault",
  unreadable: "serverFault",
  noKey: "nothing",
  keyNotAllowed: "nothing",
  untrusted: "nothing",
  notHttps: "nothing",
  certificateFile: "nothing",
};

/** A name without an address counts against its entry only when anything else could be reached at all. */
function recordUnresolvedNames(
  failures: readonly GatewayError[],
  { breaker, model }: OperationContext,
  isOffline = false,
): void {
  for (const { entry } of failures.filter(isNameNotResolved)) {
    if (entry !== undefined) breaker.record(entry, model, isOffline ? "nothing" : "connectionFault");
  }
}

function finalError(failures: readonly GatewayError[], context: OperationContext): GatewayError {
  const [first, ...more] = failures;
  if (first === undefined) throw new RangeError("An operation that failed has a failure.");
  const isOffline = context.entries.length > 1 && failures.every(isNameNotResolved);
  recordUnresolvedNames(failures, context, isOffline);
  const charged = context.operation === "image" ? failures.find(mayBeCharged) : undefined;
  const told = charged ?? telling([first, ...more]);
  const attempts = failures.filter((failure) => failure !== told);
  if (isOffline) return new GatewayError("offline", "Neither entry's name can be resolved.", { cause: told, attempts });
  if (charged === undefined) return withDetails(told, { attempts });
  const { entry, status, requestId, said, sent } = told;
  const message = "The image may have been made, and charged.";
  return new GatewayError("mayBeCharged", message, { cause: told, attempts, entry, status, requestId, said, sent });
}
