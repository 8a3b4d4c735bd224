import { unlessAborted } from "../abort.ts";
import { GatewayError, withDetails } from "../errors.ts";
import { requestsLeft } from "../policy/decide.ts";
import type { OperationContext, Turn } from "./sharedContext.ts";

/** Changes the form of a request after a failure, if that makes another one worthwhile; else returns the error to show. */
export type Revise = (failure: GatewayError, requestsLeft: number) => GatewayError | undefined;

/**
 * The inner of two loops: finds out with which key and in which form one entry answers. Counts every request of the
 * operation. Throws one `GatewayError` for all of them, or the rate limit that another operation has met.
 */
export async function settle<T>(
  context: OperationContext,
  turn: Turn,
  ask: (key: string) => Promise<T>,
  revise: Revise = (failure) => failure,
): Promise<T> {
  const { model, operation, shared } = context;
  const { elapsed, entry, history, ignoresLimit, signal } = turn;
  const recorded = (error: unknown): GatewayError => {
    if (!(error instanceof GatewayError) || signal.aborted) throw error;
    const failure = withDetails(error, { entry: entry.name });
    history.push(failure);
    return failure;
  };
  let hasRenewed = false;
  for (;;) {
    const key = await unlessAborted(context.keyFor(entry), signal).catch((error: unknown) => {
      throw recorded(error);
    });
    // The clock starts after any question to the user about the key.
    elapsed();
    const limit = rateLimitAt(key);
    if (limit && !ignoresLimit) throw limit;
    let failure: GatewayError;
    try {
      return await ask(key);
    } catch (error) {
      failure = recorded(error);
    }
    const remaining = requestsLeft({ attempts: history.length, elapsed: elapsed() });
    if (failure.kind === "unauthorized" && remaining > 0 && !hasRenewed) {
      hasRenewed = true;
      if ((await unlessAborted(context.keyFor(entry, key), signal)) !== key) continue;
    }
    const final = revise(failure, remaining);
    if (final) throw final;
  }

  function rateLimitAt(key: string): GatewayError | undefined {
    const limit = shared.rateLimits.failure({ operation, entry: entry.name, model }, shared.clock.elapsed(), key);
    return limit && withDetails(limit, { entry: entry.name });
  }
}
