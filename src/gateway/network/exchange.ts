import type { LookupFunction } from "node:net";

/** An HTTP request. */
export interface HttpRequest {
  readonly method: "GET" | "HEAD" | "POST";
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Time limits of one exchange, in milliseconds. */
export interface ExchangeLimits {
  /** Until sending starts. */
  readonly connect: number;
  /** From then until the response headers. */
  readonly headers: number;
  /** Maximum time without data inside the body. */
  readonly idle: number;
}

/** Options of one exchange. */
export interface ExchangeOptions {
  readonly limits: ExchangeLimits;
  readonly signal: AbortSignal;
  /** Replaces the system's resolver. Requires a fresh connection, because kept ones are already resolved. */
  readonly lookup?: LookupFunction;
  /** Called when the request begins to go out. */
  readonly onSend?: (() => void) | undefined;
}

/** The body of an answer as it arrives. `return` (leaving a loop early) closes the connection. */
export interface HttpBody extends AsyncIterableIterator<Buffer, undefined, undefined> {
  return(): Promise<IteratorReturnResult<undefined>>;
  /**
   * Called when the reader needs nothing more. Keeps the connection if the body ends within `limit` milliseconds, else
   * closes it; `return` no longer closes it.
   */
  linger?(limit: number): void;
}

/** An answer whose body must still be read or closed. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: HttpBody;
}

/** A network failure. `cause` is the transport's own error. */
export class TransportError extends Error {
  override readonly name = "TransportError";
  /** `no`: no byte of the request was sent. */
  readonly sent: "no" | "maybe";
  readonly isConnectTimeout: boolean;
  /** Whether a kept connection turned out to be dead before the exchange began. */
  readonly isStale: boolean;

  constructor(sent: "no" | "maybe", cause: unknown, { isConnectTimeout = false, isStale = false } = {}) {
    super("The exchange failed.", { cause });
    this.sent = sent;
    this.isConnectTimeout = isConnectTimeout;
    this.isStale = isStale;
  }
}

/** A failure of a proxy, before the gateway's server could be reached. */
export class ProxyError extends Error {
  override readonly name = "ProxyError";
  /** Host and port of the proxy. */
  readonly proxy: string;

  constructor(proxy: string, cause: unknown) {
    super("The proxy failed.", { cause });
    this.proxy = proxy;
  }
}
