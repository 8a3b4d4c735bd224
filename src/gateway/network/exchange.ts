import type { LookupFunction } from "node:net";
import type { Dispatcher } from "undici";
import { asError } from "../asError.ts";

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
   * longer closes it. Where connections are never kept there is nothing to wait for.
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

  constructor(sent: "no" | "maybe", cause: unknown, isConnectTimeout = false) {
    super("The exchange failed.", { cause });
    this.sent = sent;
    this.isConnectTimeout = isConnectTimeout;
  }
}

/**
 * Sends one request and resolves with the headers of its answer.
 * Throws `TransportError`, or the reason of `signal`; either way the request's connection is closed at once.
 */
export function exchange(
  dispatcher: Dispatcher,
  { method, url, headers, body }: HttpRequest,
  { limits, signal }: ExchangeOptions,
): Promise<HttpAnswer> {
  signal.throwIfAborted();
  const running = new Exchange(signal, limits.connect);
  dispatcher.dispatch(
    {
      origin: url.origin,
      path: url.pathname + url.search,
      method,
      headers,
      body: body ?? null,
      headersTimeout: limits.headers,
      bodyTimeout: limits.idle,
    },
    running,
  );
  return running.answer.promise;
}

/** Bytes that may wait for a slow reader before the connection is paused. */
const highWaterMark = 1 << 20;

/** One running exchange: undici's handler on one side, the body's iterator on the other. */
class Exchange implements Dispatcher.DispatchHandler, HttpBody {
  readonly answer = Promise.withResolvers<HttpAnswer>();
  readonly #signal: AbortSignal;
  readonly #connectTimer: NodeJS.Timeout;
  #controller: Dispatcher.DispatchController | undefined;
  #failure: { readonly error: unknown } | undefined;
  #isOver = false;
  #chunks: Buffer[] = [];
  #size = 0;
  #wake: (() => void) | undefined;
  #lingering: NodeJS.Timeout | undefined;

  constructor(signal: AbortSignal, connectLimit: number) {
    this.#signal = signal;
    signal.addEventListener("abort", this.#cancel, { once: true });
    this.#connectTimer = setTimeout(() => {
      this.#stop(new TransportError("no", undefined, true));
    }, connectLimit);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    clearTimeout(this.#connectTimer);
    this.#controller = controller;
    if (this.#failure) controller.abort(asError(this.#failure.error));
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200) return;
    this.#controller = controller;
    this.answer.resolve({ status, headers, body: this });
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

  /** Ends the exchange from this side. */
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
    if (failure) this.answer.reject(asError(failure.error));
    this.#wakeReader();
  }

  /** Once only: to resolve a promise again costs more than a chunk. */
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
