import type { LookupFunction } from "node:net";

/** A request as the network sees it. */
export interface HttpRequest {
  readonly method: "GET" | "HEAD" | "POST";
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Limits of one exchange, in milliseconds. */
export interface ExchangeLimits {
  /** Until the request is being sent. */
  readonly connect: number;
  /** From there to the headers of the answer. */
  readonly headers: number;
  /** Silence inside the body. */
  readonly idle: number;
}

/** How one exchange is made. */
export interface ExchangeOptions {
  readonly limits: ExchangeLimits;
  readonly signal: AbortSignal;
  /** Instead of the system's resolver. Kept connections know nothing of it, so it takes a fresh one. */
  readonly lookup?: LookupFunction;
}

/** The body of an answer, still arriving. `return` (a loop left early) closes the connection. */
export interface HttpBody extends AsyncIterableIterator<Buffer, undefined, undefined> {
  return(): Promise<IteratorReturnResult<undefined>>;
  /**
   * The reader has all it wants. The connection is kept if the body ends within `limit` ms, else closed; `return` no
   * longer closes it.
   */
  linger?(limit: number): void;
}

/** An answer whose body is still to be read or closed. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: HttpBody;
}

/** What the network did to an exchange. `cause` is the transport's own error. */
export class TransportError extends Error {
  override readonly name = "TransportError";
  /** `no`: not a byte of the request left this machine. */
  readonly sent: "no" | "maybe";
  readonly isConnectTimeout: boolean;
  /** The connection had been kept since an earlier exchange, and turned out to be dead before this one began. */
  readonly isStale: boolean;

  constructor(sent: "no" | "maybe", cause: unknown, { isConnectTimeout = false, isStale = false } = {}) {
    super("The exchange failed.", { cause });
    this.sent = sent;
    this.isConnectTimeout = isConnectTimeout;
    this.isStale = isStale;
  }
}
