import type { LookupFunction } from "node:net";
import type { Dispatcher } from "undici";
import { asError } from "../abort.ts";

/** An HTTP request. */
export interface HttpRequest {
  readonly method: "GET" | "HEAD" | "POST";
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
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

/** Receives the events of one exchange, in the form of undici's handlers. */
export type ExchangeHandler = Required<
  Pick<
    Dispatcher.DispatchHandler,
    "onRequestStart" | "onResponseStart" | "onResponseData" | "onResponseEnd" | "onResponseError"
  >
>;

/**
 * Sends one request through the transport that `start` begins, and resolves with the response headers. Throws
 * `TransportError` or the reason of `signal`, after closing the connection if the request had begun on it. Calls `onEnd`
 * once the exchange is over, its body included.
 */
export function exchange(
  start: (handler: ExchangeHandler) => void | Promise<void>,
  { limits, signal, onSend }: Pick<ExchangeOptions, "limits" | "signal" | "onSend">,
  onEnd: () => void = () => undefined,
): Promise<HttpAnswer> {
  signal.throwIfAborted();
  const running = new Exchange(signal, limits.connect, { onSend, onEnd });
  Promise.try(start, running).catch((error: unknown) => {
    running.onResponseError(undefined, asError(error));
  });
  return running.answer.promise;
}

/** Bytes to buffer for a slow reader before the connection is paused. */
const highWaterMark = 1 << 20;

/** Maximum number of interim responses. */
const maxInterims = 1_000;

interface Callbacks {
  readonly onSend: ExchangeOptions["onSend"];
  readonly onEnd: () => void;
}

/** A running exchange: a handler for the transport, and an iterator for the reader of the body. */
class Exchange implements ExchangeHandler, HttpBody {
  readonly answer = Promise.withResolvers<HttpAnswer>();
  readonly #signal: AbortSignal;
  readonly #connectTimer: NodeJS.Timeout;
  readonly #on: Callbacks;
  #controller: Dispatcher.DispatchController | undefined;
  #failure: { readonly error: unknown } | undefined;
  #isOver = false;
  #chunks: Buffer[] = [];
  #size = 0;
  #wake: (() => void) | undefined;
  #lingering: NodeJS.Timeout | undefined;
  #interims = 0;

  constructor(signal: AbortSignal, connectLimit: number, on: Callbacks) {
    this.#signal = signal;
    this.#on = on;
    signal.addEventListener("abort", this.#cancel, { once: true });
    this.#connectTimer = setTimeout(() => {
      this.#stop(new TransportError("no", undefined, { isConnectTimeout: true }));
    }, connectLimit);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    clearTimeout(this.#connectTimer);
    this.#controller = controller;
    if (this.#failure) controller.abort(asError(this.#failure.error));
    else this.#on.onSend?.();
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    this.#controller = controller;
    if (status < 200) this.#skipInterim(status);
    else this.answer.resolve({ status, headers, body: this });
  }

  /** Ignores interim responses (RFC 9110, 15.2), except for protocol switches and floods. Below 100 there is no status. */
  #skipInterim(status: number): void {
    this.#interims += 1;
    if (status >= 100 && status !== 101 && this.#interims <= maxInterims) return;
    const code = status < 100 ? "HPE_INVALID_STATUS" : undefined;
    this.#stop(new TransportError("maybe", Object.assign(new Error(`The answer is a ${String(status)}.`), { code })));
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#lingering !== undefined) return;
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    if (this.#size > highWaterMark) controller.pause();
    this.#wakeReader();
  }

  onResponseEnd(): void {
    this.#end(undefined);
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    this.#end({ error: new TransportError(this.#controller === undefined ? "no" : "maybe", error) });
  }

  readonly #cancel = (): void => {
    this.#stop(this.#signal.reason);
  };

  /** Ends the exchange from the client's side. */
  #stop(error: unknown): void {
    if (this.#isOver) return;
    this.#end({ error });
    this.#controller?.abort(asError(error));
  }

  #end(failure: { readonly error: unknown } | undefined): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#failure = failure;
    clearTimeout(this.#connectTimer);
    clearTimeout(this.#lingering);
    this.#signal.removeEventListener("abort", this.#cancel);
    // An exchange that is over without an answer has failed, however it ended.
    this.answer.reject(asError(failure ? failure.error : new TransportError("maybe", new Error("No answer came."))));
    this.#wakeReader();
    this.#on.onEnd();
  }

  /** Cleared after use: resolving a promise again costs more than a chunk. */
  #wakeReader(): void {
    this.#wake?.();
    this.#wake = undefined;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<Buffer, undefined>> {
    while (this.#chunks.length === 0) {
      if (this.#failure) throw asError(this.#failure.error);
      if (this.#isOver) return { done: true, value: undefined };
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    const chunks = this.#chunks;
    this.#chunks = [];
    this.#size = 0;
    if (this.#controller?.paused) this.#controller.resume();
    return { done: false, value: chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks) };
  }

  linger(limit: number): void {
    if (this.#isOver) return;
    this.#lingering = setTimeout(() => {
      this.#stop(new Error("The body did not end."));
    }, limit);
    if (this.#controller?.paused) this.#controller.resume();
  }

  return(): Promise<IteratorReturnResult<undefined>> {
    if (this.#lingering === undefined) this.#stop(new Error("The reader left."));
    return Promise.resolve({ done: true, value: undefined });
  }
}
