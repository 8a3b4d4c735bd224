import type { LookupFunction, Socket } from "node:net";
import { setImmediate as eventsArrived } from "node:timers/promises";
import type { SecureContext } from "node:tls";
import type { Dispatcher } from "undici";
import openTunnel from "undici/lib/api/api-connect.js";
import buildConnector from "undici/lib/core/connect.js";
import symbols from "undici/lib/core/symbols.js";
import Agent from "undici/lib/dispatcher/agent.js";
import Pool from "undici/lib/dispatcher/pool.js";
import ProxyAgent from "undici/lib/dispatcher/proxy-agent.js";
import { type Connection, keepAliveTimeout } from "./connection.ts";
import {
  exchange,
  type ExchangeHandler,
  type ExchangeOptions,
  type HttpAnswer,
  type HttpRequest,
  ProxyError,
  TransportError,
} from "./exchange.ts";
import { plainLookup } from "./privateAddresses.ts";

/** Options of connections. */
export interface ConnectionOptions {
  readonly proxy: { readonly url: URL; readonly authorization: string; readonly strictSsl: boolean } | undefined;
  readonly secureContext: SecureContext | undefined;
  readonly lookup: LookupFunction | undefined;
  /** Connect timeout, in milliseconds. */
  readonly timeout: number;
  /** Where the use of connections that are kept is noted. */
  readonly connection?: Connection | undefined;
}

/** A set of keep-alive connections with the same options. */
export class Connections {
  readonly #dispatcher: Dispatcher;
  readonly #connecting = new Set<Socket>();
  /** Sockets to the proxy, which may not have answered yet. */
  readonly #toProxy = new Set<Socket>();
  /** Errors of established connections. */
  readonly #breaks = new WeakSet<Error>();
  readonly #open = new Set<Socket>();
  readonly #connection: Connection | undefined;
  readonly #proxy: string | undefined;
  #waiting = 0;
  /** The connection that is being opened ahead. */
  #opening: Promise<void> | undefined;
  /** Whether a connection was opened ahead that no request has used. */
  #isUnused = false;

  constructor({ proxy, secureContext, lookup, timeout, connection }: ConnectionOptions) {
    this.#connection = connection;
    this.#proxy = proxy?.url.host;
    // Explicit, because the environment variable NODE_TLS_REJECT_UNAUTHORIZED=0 turns verification off otherwise
    // (Node's CLI documentation).
    const tls = { timeout, rejectUnauthorized: true, ...(secureContext && { secureContext }) };
    const shared = { allowH2: false, keepAliveTimeout };
    if (proxy === undefined) {
      // Node's default of 250 ms per address is too short for distant servers (nodejs/node#54359).
      const options = { ...tls, lookup: lookup ?? plainLookup, allowH2: false, autoSelectFamilyAttemptTimeout: 1_000 };
      const connect = this.#prepared(this.#tracked(buildConnector(options)));
      this.#dispatcher = new Agent({ ...shared, connect });
    } else {
      const proxyTls = { ...tls, rejectUnauthorized: proxy.strictSsl, allowH2: false };
      this.#dispatcher = new ProxyAgent({
        ...shared,
        uri: proxy.url.href,
        ...(proxy.authorization !== "" && { token: proxy.authorization }),
        requestTls: tls,
        proxyTls,
        factory: (origin: URL, { connect, ...options }: Pool.Options) =>
          new Pool(origin, {
            ...options,
            ...(connect && { connect: typeof connect === "function" ? this.#prepared(connect) : connect }),
          }),
        // `Pool` has no `connect` of its own: undici's index adds it to `Dispatcher.prototype` (undici 8.12), and the
        // index is not loaded.
        clientFactory: (origin) => {
          const pool = new Pool(origin, { ...shared, connect: this.#tracked(buildConnector(proxyTls), this.#toProxy) });
          const { host } = proxy.url;
          return Object.assign(pool, {
            connect: (options: Dispatcher.ConnectOptions) => tunnel(pool, options, host),
          });
        },
      });
    }
  }

  /** Makes one exchange. If it ends before connecting, its socket is closed at once. */
  async exchange(request: HttpRequest, options: ExchangeOptions): Promise<HttpAnswer> {
    this.#waiting += 1;
    try {
      const answer = await exchange(
        (handler) => {
          this.#connection?.begin();
          return this.#dispatch(request, options, handler);
        },
        options,
        () => this.#connection?.end(),
      );
      this.#connection?.learn(answer.headers["keep-alive"]);
      return answer;
    } catch (error) {
      const isProxySilent = this.#unanswered.length > 0;
      if (this.#waiting === 1) this.#abandon();
      if (this.#isStale(error)) throw new TransportError("no", error.cause, { isStale: true });
      if (!isProxySilent || this.#proxy === undefined || !isConnectTimeout(error)) throw error;
      throw new TransportError("no", new ProxyError(this.#proxy, undefined), { isConnectTimeout: true });
    } finally {
      this.#waiting -= 1;
    }
  }

  /** Whether a connection is open, idle or not, or being opened. */
  get isInUse(): boolean {
    return this.#open.size > 0 || this.#waiting > 0 || this.#opening !== undefined;
  }

  /**
   * Opens a connection for the next exchange with the server of `url`. Sends no request. Gives up after `limit`
   * milliseconds, unless an exchange waits for the connection by then. Rejects if the connection fails, as does an
   * exchange that waits.
   *
   * undici has no function for that: a request is dispatched that refuses to be written, which costs the connection
   * nothing (`writeH1` in lib/dispatcher/client-h1.js, undici 8.12). The connection waits in undici's pool like any kept
   * one, without keeping the process alive, for as long as any other.
   */
  async connectAhead(url: URL, limit: number): Promise<void> {
    const timer = setTimeout(() => {
      if (this.#waiting === 0) this.#abandon();
    }, limit).unref();
    const { origin, pathname: path } = url;
    this.#opening = new Promise((resolve, reject) => {
      const handler: ExchangeHandler = {
        // Called when the connection is ready, before anything is written.
        onRequestStart: () => {
          resolve();
          throw new Error("There is no request yet.");
        },
        onResponseStart: nothing,
        onResponseData: nothing,
        onResponseEnd: nothing,
        onResponseError: (_controller, error) => {
          reject(error);
        },
      };
      // `headers` as in every request, because undici adds the host there, on which the connection depends.
      this.#dispatcher.dispatch({ origin, path, method: "GET", headers: {} }, handler);
    });
    try {
      await this.#opening;
      this.#isUnused = true;
      this.#connection?.touch();
    } finally {
      this.#opening = undefined;
      clearTimeout(timer);
    }
  }

  async #dispatch(
    { method, url, headers, body }: HttpRequest,
    { limits, signal }: ExchangeOptions,
    handler: ExchangeHandler,
  ): Promise<void> {
    await this.#opening;
    // For connections that were used before, undici does the same (`scheduleIdleSocketValidation`, undici 8.12).
    if (this.#isUnused) await eventsArrived();
    this.#isUnused = false;
    signal.throwIfAborted();
    const target = { origin: url.origin, path: url.pathname + url.search, method, headers, body: body ?? null };
    this.#dispatcher.dispatch({ ...target, headersTimeout: limits.headers, bodyTimeout: limits.idle }, handler);
  }

  /** Closes the connections after running exchanges have ended. */
  async close(): Promise<void> {
    await this.#dispatcher.close();
  }

  /** Closes all connections immediately. */
  async destroy(): Promise<void> {
    this.#abandon();
    await this.#dispatcher.destroy();
  }

  #abandon(): void {
    for (const socket of this.#unanswered) {
      socket.destroy(new Error("Nobody waits for this connection any more."));
    }
  }

  /** Sockets to a server, or to a proxy, that has not responded yet. */
  get #unanswered(): readonly Socket[] {
    return [...this.#connecting, ...[...this.#toProxy].filter(({ bytesRead }) => bytesRead === 0)];
  }

  /** Whether a kept connection broke while idle and undici (8.12) reported it to the next request. */
  #isStale(error: unknown): error is TransportError {
    if (!(error instanceof TransportError) || error.sent !== "no") return false;
    const cause: unknown = error.cause;
    return cause instanceof Error && this.#breaks.has(cause);
  }

  /** Prepares connected sockets for undici, also those that are opened ahead. */
  #prepared(connect: Connect): Connect {
    return (options, callback) => {
      connect(options, (...result: Parameters<typeof callback>) => {
        const [, socket] = result;
        socket?.on("error", (error: Error) => this.#breaks.add(error));
        if (socket) this.#open.add(socket.once("close", () => this.#open.delete(socket)));
        callback(...result);
        if (socket) ignoreContinue(socket);
      });
    };
  }

  /** Tracks sockets while they connect, and in `open` until they close. */
  #tracked(connect: ReturnType<typeof buildConnector>, open?: Set<Socket>): Connect {
    return (options, callback) => {
      const socket = connect(options, (...result: Parameters<typeof callback>) => {
        this.#connecting.delete(socket);
        open?.add(socket.once("close", () => open.delete(socket)));
        callback(...result);
      });
      this.#connecting.add(socket);
    };
  }
}

function isConnectTimeout(error: unknown): boolean {
  return error instanceof TransportError && error.isConnectTimeout;
}

/** Has a proxy open a tunnel. Whatever fails here is the proxy's fault, and nothing was sent to the gateway. */
async function tunnel(
  pool: Pool,
  options: Dispatcher.ConnectOptions,
  proxy: string,
): Promise<Dispatcher.ConnectData<unknown>> {
  try {
    // `Pool` has no `connect` of its own: undici's index adds it to `Dispatcher.prototype` (undici 8.12), and the index is
    // not loaded.
    const data = await openTunnel.call(pool, options);
    if (data.statusCode === 200) return data;
    data.socket.on("error", () => undefined).destroy();
    throw new Error(`The proxy answered with status ${String(data.statusCode)}.`);
  } catch (cause) {
    throw new ProxyError(proxy, cause);
  }
}

const unaskedContinue = 100;
const processing = 102;

interface Parser {
  onHeadersComplete: (status: number, isUpgrade: boolean, isKept: boolean) => number;
}

/**
 * Makes undici ignore an unexpected `100 Continue`, as RFC 9110 (15.2) requires. undici 8.12 closes the connection
 * instead (`statusCode === 100` in lib/dispatcher/client-h1.js), which loses a paid answer. Presents it to undici's
 * parser as `102 Processing`, which it ignores. For a socket that undici already uses.
 */
function ignoreContinue(socket: Socket): void {
  const parser: unknown = Reflect.get(socket, symbols.kParser);
  if (!isParser(parser)) return;
  const onHeadersComplete = parser.onHeadersComplete.bind(parser);
  parser.onHeadersComplete = (status, ...rest) =>
    onHeadersComplete(status === unaskedContinue ? processing : status, ...rest);
}

function isParser(value: unknown): value is Parser {
  return typeof value === "object" && value !== null && "onHeadersComplete" in value;
}

/** undici's function that connects a client. */
type Connect = (...args: Parameters<ReturnType<typeof buildConnector>>) => void;

const nothing = (): void => undefined;
