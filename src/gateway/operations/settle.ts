import { unlessAborted } from "../abort.ts";
import { GatewayError, withDetails } from "../errors.ts";
import { requestsLeft } from "../policy/decide.ts";
import type { OperationContext, Turn } from "./sharedContext.ts";

/** Changes the form of a question after a failure, if that makes it worth asking again; else returns the error to show. */
export type Revise = (failure: GatewayError, requestsLeft: number) => GatewayError | undefined;

/**
 * The inner of two loops: settles with one entry, with which key and in which form it answers. Counts every request of the
 * operation, of which there are four. Throws one `GatewayError` for all of them, or what the entry has said before if that
 * still holds.
 */
export async function settle<T>(
  context: OperationContext,
  turn: Turn,
  ask: (key: string) => Promise<T>,
  revise: Revise = (failure) => failure,
): Promise<T> {
  const { model, operation, shared } = context;
  const { elapsed, entry, history, ignoresLimit, signal } = turn;
  const noted = (error: unknown): GatewayError => {
    if (!(error instanceof GatewayError) || signal.aborted) throw error;
    const failure = withDetails(error, { entry: entry.name });
    history.push(failure);
    return failure;
  };
  let hasRenewed = false;
  for (;;) {
    const key = await unlessAborted(context.keyFor(entry), signal).catch((error: unknown) => {
      throw noted(error);
    });
    // A preceding question to the user does not count.
    elapsed();
    const limit = rateLimitAt(key);
    if (limit && !ignoresLimit) throw limit;
    let failure: GatewayError;
    try {
      return await ask(key);
    } catch (error) {
      failure = noted(error);
    }
    const left = requestsLeft({ attempts: history.length, elapsed: elapsed() });
    if (failure.kind === "unauthorized" && left > 0 && !hasRenewed) {
      hasRenewed = true;
      if ((await unlessAborted(context.keyFor(entry, key), signal)) !== key) continue;
    }
    const final = revise(failure, left);
    if (final) throw final;
  }

  function rateLimitAt(key: string): GatewayError | undefined {
    const limit = shared.rateLimits.failure({ operation, entry: entry.name, model }, shared.clock.elapsed(), key);
    return limit && withDetails(limit, { entry: entry.name });
  }
}
