import { GatewayError, withDetails } from "../errors.ts";
import { isNameNotResolved } from "../network/transportErrors.ts";
import { mayBeCharged, mostUsefulFailure } from "../policy/rules.ts";
import type { OperationContext } from "./sharedContext.ts";

/** The final error of an operation: the most useful of its failures, with all others of `history` in `attempts`. */
export function finalError(
  failures: readonly GatewayError[],
  history: readonly GatewayError[],
  context: OperationContext,
): GatewayError {
  const [first, ...more] = failures;
  if (first === undefined) throw new RangeError("An operation that failed has a failure.");
  const isOffline = context.entries.length > 1 && failures.every(isNameNotResolved);
  if (!isOffline) recordUnresolvedNames(failures, context);
  const charged = context.operation === "image" ? failures.find(mayBeCharged) : undefined;
  const main = charged ?? mostUsefulFailure([first, ...more]);
  const attempts = history.filter((failure) => failure !== main);
  if (isOffline) return new GatewayError("offline", "Neither entry's name can be resolved.", { cause: main, attempts });
  if (charged === undefined) return withDetails(main, { attempts, retryAfter: soonest(main, failures, context) });
  const charge = { kind: "mayBeCharged", message: "The image may have been made, and charged." } as const;
  return withDetails(main, { cause: main, attempts }, charge);
}

/** The wait before another try: if both entries are limited, the shorter one. */
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

/** Counts unresolvable names against their entries; to be called only if anything else could be reached. */
export function recordUnresolvedNames(
  failures: readonly GatewayError[],
  { shared, model }: Pick<OperationContext, "shared" | "model">,
): void {
  for (const { entry } of failures.filter(isNameNotResolved))
    if (entry !== undefined) shared.breaker.record(entry, model, "connectionFault");
}
