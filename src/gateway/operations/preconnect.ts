import { configuredEntries } from "../entries.ts";
import { GatewayError } from "../errors.ts";
import { TransportError } from "../network/exchange.ts";
import { transportFailure } from "../network/transportErrors.ts";
import type { GatewaySettings, PreconnectReport } from "../types.ts";
import type { SharedContext } from "./sharedContext.ts";

/** Opens a connection to the entry that would serve a question now. Never rejects; see `Gateway.preconnect`. */
export async function preconnect(
  { breaker, clock, limits, network }: SharedContext,
  { model, settings }: { readonly model: string; readonly settings: GatewaySettings },
  onPreconnect: (report: PreconnectReport) => void,
): Promise<void> {
  try {
    const entries = configuredEntries(settings);
    const [primary, backup] = entries;
    const first = breaker.peek(backup ? ["primary", "backup"] : ["primary"], model);
    const { name, baseUrl } = entries.find((entry) => entry.name === first) ?? primary;
    const startedAt = clock.elapsed();
    const report = (failure: string | undefined): void => {
      onPreconnect({ entry: name, duration: Math.round(clock.elapsed() - startedAt), failure });
    };
    try {
      if (await network.connectAhead(new URL(baseUrl), limits.connect)) report(undefined);
    } catch (error) {
      report(error instanceof GatewayError ? error.kind : transportFailure(asTransportError(error)).kind);
    }
  } catch {
    // No usable entry: the question will say so.
  }
}

function asTransportError(error: unknown): TransportError {
  return error instanceof TransportError ? error : new TransportError("no", error);
}
