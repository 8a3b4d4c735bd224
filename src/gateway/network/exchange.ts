import type { LookupFunction } from "node:net";
import type { Dispatcher } from "undici";
import { asError } from "../abort.ts";
import { GatewayError } from "../errors.ts";

/** An HTTP request. */
export interface HttpRequest {
  readonly method: "GET" | "HEAD" | "POST";
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** Time limits of one exchange, in milliseconds. */
export interface ExchangeLimits {
  /** Until sending starts, including everything that must be read, resolved or opened first. */
  readonly connect: number;
  /** From then until the response headers, which begin an answer. */
  readonly headers: number;
  /** Maximum time without data inside the body, not counting the reader's pauses. */
  readonly idle: number;
}

/** Options of one exchange. */
export interface ExchangeOptions {
  readonly limits: ExchangeLimits;
  readonly signal: AbortSignal;
  /** Replaces the system's resolver. Requires a fresh connection. */
  readonly lookup?: LookupFunction | undefined;
  readonly onSend?: (() => void) | undefined;
}

/** An answer whose body must still be read to its end, or closed. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The body as it arrives. Leaving a loop over it closes the connection. */
  readonly body: AsyncGenerator<Buffer, undefined, undefined>;
  /** Closes the connection if the body has not ended. A running read of the body fails. */
  close(): void;
  /** Closes the connection only if the body does not end within `limit` milliseconds, even if `close` is called. */
  linger(limit: number): void;
}

/** A network failure. `cause` is the transport's own error. */
export class TransportError extends Error {
  override readonly name = "TransportError";
  /** `no`: no byte of the request was sent. */
  readonly sent: "no" | "maybe";
  readonly isConnectTimeout: boolean;
  /** Whether an idle connection was dead before the exchange began. */
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

/** How an exchange controls its transport. */
export type ExchangeController = Pick<Dispatcher.DispatchController, "abort" | "pause" | "resume" | "paused">;

/** Bytes to buffer for a slow reader before the connection is paused. */
const highWaterMark = 1 << 20;

const maxInterims = 1_000;

/**
 * Sends one request through the transport that `start` begins, and resolves with the response headers. What `start` awaits
 * before is part of the exchange. Throws `TransportError`, `GatewayError`, or the reason of `signal`, after closing the
 * connection if the request had begun on it. Calls `onEnd` once the exchange is over, its body included.
 */
export function exchange(
  start: (handler: Exchange) => void | Promise<void>,
  options: ExchangeOptions,
  onEnd: () => void = () => undefined,
): Promise<HttpAnswer> {
  options.signal.throwIfAborted();
  const running = new Exchange(options, onEnd);
  Promise.try(start, running).catch((error: unknown) => {
    running.onResponseError(undefined, asError(error));
  });
  return running.answered.promise;
}

/** A running exchange: a handler for the transport, in the form of undici's, and the answer with its body. */
export class Exchange implements HttpAnswer {
  status = 0;
  headers: HttpAnswer["headers"] = {};
  readonly body = this.#read();
  readonly answered = Promise.withResolvers<HttpAnswer>();
  readonly #options: ExchangeOptions;
  readonly #onEnd: () => void;
  #controller: ExchangeController | undefined;
  /** Runs until the request, the headers, data, or the end of an unread body. */
  #timer: NodeJS.Timeout | undefined;
  #isDue = false;
  #failure: { readonly error: unknown } | undefined;
  #isOver = false;
  #isLingering = false;
  #chunks: Buffer[] = [];
  #size = 0;
  #wake: (() => void) | undefined;
  #interims = 0;

  constructor(options: ExchangeOptions, onEnd: () => void) {
    this.#options = options;
    this.#onEnd = onEnd;
    options.signal.addEventListener("abort", this.#cancel, { once: true });
    this.#limit(options.limits.connect, () => new TransportError("no", undefined, { isConnectTimeout: true }));
  }

  /** Whether it has ended, so that nothing may be sent any more. */
  get isOver(): boolean {
    return this.#isOver;
  }

  onRequestStart(controller: ExchangeController): void {
    this.#controller = controller;
    if (this.#isOver) {
      controller.abort(new Error("The exchange is over."));
      return;
    }
    this.#limit(this.#options.limits.headers, () => timeout("UND_ERR_HEADERS_TIMEOUT"));
    this.#options.onSend?.();
  }

  onResponseStart(
    _controller: ExchangeController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200) {
      this.#skipInterim(status);
      return;
    }
    this.#expectData();
    this.status = status;
    this.headers = headers;
    this.answered.resolve(this);
  }

  /**
   * Ignores interim responses (RFC 9110, 15.2), which show that the server is alive, except for protocol switches and floods.
   * Numbers below 100 are not statuses.
   */
  #skipInterim(status: number): void {
    this.#interims += 1;
    if (status >= 100 && status !== 101 && this.#interims <= maxInterims) {
      this.#renewLimit();
      return;
    }
    const code = status < 100 ? "HPE_INVALID_STATUS" : undefined;
    this.#stop(new TransportError("maybe", Object.assign(new Error(`The answer is a ${String(status)}.`), { code })));
  }

  onResponseData(controller: ExchangeController, chunk: Buffer): void {
    if (this.#isLingering || this.#isOver) return;
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    // Once for all chunks of one read.
    if (this.#wake) this.#renewLimit();
    if (this.#size > highWaterMark) {
      controller.pause();
      this.#endLimit();
    }
    this.#wakeReader();
  }

  onResponseEnd(): void {
    this.#end(undefined);
  }

  onResponseError(_controller: ExchangeController | undefined, error: Error): void {
    const isKnown = error instanceof GatewayError || error instanceof TransportError;
    this.#end({ error: isKnown ? error : new TransportError(this.#controller === undefined ? "no" : "maybe", error) });
  }

  readonly #cancel = (): void => {
    this.#stop(this.#options.signal.reason);
  };

  #limit(limit: number, failure: () => Error): void {
    this.#endLimit();
    this.#timer = setTimeout(() => {
      this.#isDue = true;
      // Data that arrived while the process was busy is in time, and so is what the reader has not taken yet.
      setImmediate(() => {
        if (this.#isDue && this.#chunks.length === 0) this.#stop(failure());
      });
    }, limit);
  }

  #renewLimit(): void {
    this.#isDue = false;
    this.#timer?.refresh();
  }

  #endLimit(): void {
    clearTimeout(this.#timer);
    this.#isDue = false;
  }

  #expectData(): void {
    this.#limit(this.#options.limits.idle, () => timeout("UND_ERR_BODY_TIMEOUT"));
  }

  #stop(error: unknown): void {
    if (this.#isOver) return;
    this.#end({ error });
    this.#controller?.abort(asError(error));
  }

  #end(failure: { readonly error: unknown } | undefined): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#failure = failure;
    this.#endLimit();
    this.#options.signal.removeEventListener("abort", this.#cancel);
    // An exchange that is over without an answer has failed, however it ended. Errors cost time to create.
    if (this.status === 0)
      this.answered.reject(
        asError(failure ? failure.error : new TransportError("maybe", new Error("No answer came."))),
      );
    this.#wakeReader();
    this.#onEnd();
  }

  /** Cleared after use: resolving a promise again costs more than a chunk. */
  #wakeReader(): void {
    this.#wake?.();
    this.#wake = undefined;
  }

  async *#read(): HttpAnswer["body"] {
    try {
      for (;;) {
        const chunks = this.#chunks;
        if (chunks.length > 0) {
          this.#chunks = [];
          this.#size = 0;
          this.#resume();
          yield chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
        } else if (this.#failure) throw asError(this.#failure.error);
        else if (this.#isOver) return;
        else await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    } finally {
      this.close();
    }
  }

  /** Waits for more data, once the reader has taken what has arrived, or will not read it. */
  #resume(): void {
    if (this.#isOver) return;
    if (this.#controller?.paused) {
      if (!this.#isLingering) this.#expectData();
      this.#controller.resume();
    } else this.#renewLimit();
  }

  linger(limit: number): void {
    if (this.#isOver) return;
    this.#isLingering = true;
    this.#chunks = [];
    this.#limit(limit, () => new Error("The body did not end."));
    this.#resume();
  }

  close(): void {
    if (!this.#isLingering && !this.#isOver) this.#stop(new Error("The reader left."));
  }
}

function timeout(code: string): TransportError {
  return new TransportError("maybe", Object.assign(new Error("Time is over."), { code }));
}
