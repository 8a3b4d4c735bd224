import { LinkedController } from "../abort.ts";
import { type ExchangeOptions, type HttpAnswer, TransportError } from "./exchange.ts";

/** VS Code's https connected faster. Nothing was sent. */
export class SlowConnectError extends TransportError {
  constructor() {
    super("no", Object.assign(new Error("VS Code connects faster."), { code: "UND_ERR_CONNECT_TIMEOUT" }));
  }
}

/** Time to connect before VS Code's https is tried, too, in milliseconds; at most half the connect timeout. */
const slowConnect = 1_500;

/**
 * Makes an exchange, but aborts it if VS Code's own https connects first, as behind a firewall that drops other
 * connections. `scout` disconnects as soon as it is connected, so nothing is sent twice. Throws `SlowConnectError`, or what
 * the exchange throws.
 */
export async function withScout(
  options: ExchangeOptions,
  exchange: (options: ExchangeOptions) => Promise<HttpAnswer>,
  scout: (options: ExchangeOptions) => Promise<unknown>,
): Promise<HttpAnswer> {
  const slow = new LinkedController(options.signal);
  const over = new AbortController();
  const onScoutConnected = (): void => {
    slow.abort(new SlowConnectError());
    over.abort();
  };
  const timer = setTimeout(
    () => {
      scout({ ...options, signal: over.signal, onSend: onScoutConnected }).catch(() => undefined);
    },
    Math.min(options.limits.connect / 2, slowConnect),
  );
  const end = (): void => {
    clearTimeout(timer);
    over.abort();
  };
  const onBegin = (): void => {
    end();
    options.onSend?.();
  };
  try {
    return await exchange({ ...options, signal: slow.signal, onSend: onBegin });
  } finally {
    end();
  }
}
