import { GatewayError, type GatewayErrorKind, withDetails } from "../errors.ts";
import { TransportError } from "../network/exchange.ts";
import { isNameNotResolved } from "../network/transportErrors.ts";
import type { Outcome } from "../policy/breaker.ts";
import { mayBeCharged, mostUsefulFailure, rules } from "../policy/rules.ts";
import type { OperationContext } from "./sharedContext.ts";

/** A rejection that changed the request: a field that the gateway `named`, a `guess`, or the `api` that serves the model. */
export interface Refused {
  readonly failure: GatewayError;
  readonly by: "named" | "guess" | "api";
}

/** The final error of an operation: the most useful failure, with the others in `attempts`. */
export function finalError(
  failures: readonly GatewayError[],
  refusals: readonly Refused[],
  target: OperationContext,
): GatewayError {
  const [first, ...more] = failures.filter((failure) => refusals.every((refused) => refused.failure !== failure));
  if (first === undefined) throw new RangeError("An operation that failed has a failure.");
  const isOffline = target.entries.length > 1 && failures.every(isNameNotResolved);
  recordUnresolvedNames(failures, target, isOffline);
  const charged = target.operation === "image" ? failures.find(mayBeCharged) : undefined;
  const main = charged ?? firstCause(mostUsefulFailure([first, ...more]), refusals);
  const attempts = failures.filter((failure) => failure !== main);
  if (isOffline) return new GatewayError("offline", "Neither entry's name can be resolved.", { cause: main, attempts });
  if (charged === undefined) return withDetails(main, { attempts, retryAfter: soonest(main, failures, target) });
  const charge = { kind: "mayBeCharged", message: "The image may have been made, and charged." } as const;
  return withDetails(main, { cause: main, attempts }, charge);
}

/** When to try again: where both entries are limited, as soon as one of them allows it. */
function soonest(
  main: GatewayError,
  failures: readonly GatewayError[],
  { operation, model, entries, shared }: OperationContext,
): number | undefined {
  if (main.kind !== "rateLimited" || main.retryAfter === undefined || operation === "image") return main.retryAfter;
  const now = shared.clock.elapsed();
  const known = entries.map((entry) => shared.rateLimits.failure({ operation, entry: entry.name, model }, now));
  const waits = [...failures, ...known].map((failure) =>
    failure?.kind === "rateLimited" ? failure.retryAfter : undefined,
  );
  return Math.min(...waits.filter((wait) => wait !== undefined));
}

/** Failures of the second API that say less than the words with which the first one refused. */
const lessSaid: ReadonlySet<GatewayErrorKind> = new Set([
  ...["rejected", "notFound", "modelNotFound", "redirected"],
  ...["serverError", "badGateway", "empty", "unreadable"],
] as const);

/** If a request is rejected without the suspected fields, or by the other API, too, the first rejection tells the cause. */
function firstCause(main: GatewayError, refusals: readonly Refused[]): GatewayError {
  const inVain = refusals.find(
    ({ by }) => (by === "guess" && main.kind === "rejected") || (by === "api" && lessSaid.has(main.kind)),
  );
  return inVain?.failure ?? main;
}

/** Counts an unresolvable name against its entry, but only if anything else could be reached. */
export function recordUnresolvedNames(
  failures: readonly GatewayError[],
  { shared, model }: Pick<OperationContext, "shared" | "model">,
  isOffline = false,
): void {
  for (const { entry } of failures.filter(isNameNotResolved)) {
    if (entry !== undefined) shared.breaker.record(entry, model, isOffline ? "nothing" : "connectionFault");
  }
}

/** What a failure says about the entry. A kept connection that is lost before an answer says nothing; the next, new one will. */
export function outcomeOf({ kind, cause, sent, status }: GatewayError, isFresh: boolean): Outcome {
  // An interrupted answer had begun on this connection.
  if (kind === "interrupted" && cause instanceof GatewayError) return outcomeOf(cause, true);
  if (kind === "unauthorized" && status === undefined) return "nothing";
  // Said earlier; the entry was not asked again.
  if (kind === "rateLimited" && sent === "no") return "nothing";
  if (kind !== "connectionLost") return rules.chat[kind].outcome;
  // The body ended cleanly but too early, so the connection works.
  if (!(cause instanceof TransportError)) return "serverFault";
  return isFresh ? "connectionFault" : "nothing";
}
