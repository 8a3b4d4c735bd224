import type { LookupFunction, Socket } from "node:net";
import { setImmediate as eventsArrived } from "node:timers/promises";
import type { Dispatcher } from "undici";
import openTunnel from "undici/lib/api/api-connect.js";
import buildConnector from "undici/lib/core/connect.js";
import symbols from "undici/lib/core/symbols.js";
import Pool from "undici/lib/dispatcher/pool.js";
import ProxyAgent from "undici/lib/dispatcher/proxy-agent.js";
import type { Trust } from "./certificates.ts";
import {
  exchange,
  type Exchange,
  type ExchangeOptions,
  type HttpAnswer,
  type HttpRequest,
  ProxyError,
  TransportError,
} from "./exchange.ts";
import { assertAllowed, plainLookup } from "./privateAddresses.ts";
import { type Environment, keepAliveTimeout, StalenessWatch } from "./stalenessWatch.ts";

/** Options of connections. */
export interface ConnectionOptions {
  /** The server's scheme, host and port. */
  readonly origin: string;
  readonly proxy: { readonly url: URL; readonly authorization: string; readonly strictSsl: boolean } | undefined;
  readonly trust: Promise<Trust | undefined>;
  readonly lookup?: LookupFunction | undefined;
  readonly environment?: Environment | undefined;
}

/** Connect timeout of a socket, in milliseconds; an exchange may have a shorter one. */
const connectTimeout = 10_000;

/** A set of keep-alive connections with the same options. */
export class Connections {
  readonly #options: ConnectionOptions;
  readonly #watch: StalenessWatch | undefined;
  /** Rejects if the certificates are unusable, or if undici does not support this kind of proxy. */
  readonly #dispatcher: Promise<Dispatcher>;
  readonly #open = new Set<Socket>();
  /** Collects the sockets that undici opens for the current dispatch. */
  #sockets: Set<Socket> | undefined;
  #waiting = 0;
  #preconnecting: { readonly done: Promise<unknown>; readonly cancel: AbortController } | undefined;
  /** Whether no request has used the last preconnected connection. */
  #isUnused = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#watch = options.environment && new StalenessWatch(options.environment);
    this.#dispatcher = options.trust.then((trust) => this.#create(trust));
    // Requests report it.
    this.#dispatcher.catch(() => undefined);
  }

  #create(trust: Trust | undefined): Dispatcher {
    const { lookup, proxy } = this.#options;
    // Explicit, because the environment variable NODE_TLS_REJECT_UNAUTHORIZED=0 turns verification off otherwise
    // (Node's CLI documentation).
    const tls = {
      timeout: connectTimeout,
      rejectUnauthorized: true,
      ...(trust && { secureContext: trust.secureContext }),
    };
    // `Exchange` has its own time limits.
    const shared = { allowH2: false, keepAliveTimeout, headersTimeout: 0, bodyTimeout: 0 };
    if (proxy === undefined) {
      // Node's default of 250 ms per address is too short for distant servers (nodejs/node#54359).
      const options = { ...tls, lookup: lookup ?? plainLookup, allowH2: false, autoSelectFamilyAttemptTimeout: 1_000 };
      return new Pool(this.#options.origin, {
        ...shared,
        connect: this.#prepared(this.#collected(buildConnector(options))),
      });
    }
    const proxyTls = { ...tls, rejectUnauthorized: proxy.strictSsl, allowH2: false };
    return new ProxyAgent({
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
      // `Pool` has no `connect` of its own: undici's index adds it to `Dispatcher.prototype` (undici 8.12), and the index is
      // not loaded.
      clientFactory: (origin) => {
        const pool = new Pool(origin, { ...shared, connect: this.#collected(buildConnector(proxyTls)) });
        const { host } = proxy.url;
        return Object.assign(pool, { connect: (options: Dispatcher.ConnectOptions) => tunnel(pool, options, host) });
      },
    });
  }

  /** Makes one exchange. If it ends before it gets a connection, closes the sockets that were opened for it. */
  async exchange(request: HttpRequest, options: ExchangeOptions): Promise<HttpAnswer> {
    const { proxy } = this.#options;
    const dispatched: { sockets?: Set<Socket> } = {};
    const onSend = (): void => {
      dispatched.sockets?.clear();
      options.onSend?.();
    };
    this.#waiting += 1;
    try {
      const answer = await exchange(
        (handler) => {
          this.#watch?.begin();
          return this.#send(request, handler, dispatched);
        },
        { ...options, onSend },
        () => this.#watch?.end(),
      );
      this.#watch?.learn(answer.headers["keep-alive"]);
      return answer;
    } catch (error) {
      const opened = [...(dispatched.sockets ?? [])];
      for (const socket of opened) socket.destroy(new Error("No exchange waits for this connection."));
      // Only this exchange waited for the preconnect.
      if (!dispatched.sockets && this.#waiting === 2) this.#preconnecting?.cancel.abort();
      if (!(error instanceof TransportError) || error.sent !== "no") throw error;
      const { cause, isConnectTimeout } = error;
      // The next request gets the error of a connection that broke while idle (undici 8.12).
      if (dispatched.sockets && opened.length === 0 && !isConnectTimeout)
        throw new TransportError("no", cause, { isStale: true });
      if (!proxy || !isConnectTimeout || opened.every(({ bytesRead }) => bytesRead > 0)) throw error;
      throw new TransportError("no", new ProxyError(proxy.url.host, undefined), { isConnectTimeout });
    } finally {
      this.#waiting -= 1;
    }
  }

  async #send(request: HttpRequest, handler: Exchange, dispatched: { sockets?: Set<Socket> }): Promise<void> {
    const { method, url, headers, body } = request;
    const { lookup, proxy } = this.#options;
    const preconnecting = this.#preconnecting?.done;
    const dispatcher = await this.#dispatcher;
    // With a proxy, undici does not call the lookup.
    if (proxy) await assertAllowed(url, lookup);
    await preconnecting;
    // For connections that were used before, undici does the same (`scheduleIdleSocketValidation`, undici 8.12).
    if (this.#isUnused) await eventsArrived();
    this.#isUnused = false;
    if (handler.isOver) return;
    const target = { origin: url.origin, path: url.pathname + url.search, method, headers, body: body ?? null };
    // undici opens the sockets for a request at once, and for no other (8.12).
    this.#sockets = dispatched.sockets = new Set();
    dispatcher.dispatch(target, handler);
    this.#sockets = undefined;
  }

  get isStale(): boolean {
    return this.#watch?.isStale ?? false;
  }

  /** Whether a connection is open, idle or not, or being opened. */
  get isInUse(): boolean {
    return this.#open.size > 0 || this.#waiting > 0;
  }

  /**
   * Opens a connection for the next exchange with the server of `url`, within `limit` milliseconds. Sends no request. Rejects if
   * the connection fails, as does an exchange that waits for it.
   *
   * undici has no function for that: a request is dispatched that refuses to be written, which costs the connection
   * nothing (`writeH1` in lib/dispatcher/client-h1.js, undici 8.12). The connection then idles in undici's pool like
   * any other, and does not keep the process alive.
   */
  async preconnect(url: URL, limit: number): Promise<void> {
    const refusal = new Error("There is no request yet.");
    const onSend = (): void => {
      throw refusal;
    };
    const limits = { connect: limit, headers: limit, idle: limit };
    // undici adds the host to `headers`, and the connection depends on it.
    const request = { method: "GET", url, headers: {} } as const;
    const cancel = new AbortController();
    const done = this.exchange(request, { limits, signal: cancel.signal, onSend }).catch((error: unknown) => {
      if (!(error instanceof TransportError) || error.cause !== refusal) throw error;
      this.#isUnused = true;
    });
    this.#preconnecting = { done, cancel };
    await done.finally(() => (this.#preconnecting = undefined));
  }

  /** Closes the connections after running exchanges have ended. Never rejects. */
  async close(): Promise<void> {
    await this.#dispatcher.then((dispatcher) => dispatcher.close()).catch(nothing);
  }

  /** Closes all connections immediately. Never rejects. */
  async destroy(): Promise<void> {
    this.#preconnecting?.cancel.abort();
    await this.#dispatcher.then((dispatcher) => dispatcher.destroy()).catch(nothing);
  }

  #prepared(connect: Connect): Connect {
    return (options, callback) => {
      connect(options, (...result: Parameters<typeof callback>) => {
        const [, socket] = result;
        if (socket) this.#open.add(socket.once("close", () => this.#open.delete(socket)));
        callback(...result);
        if (socket) ignoreContinue(socket);
      });
    };
  }

  #collected(connect: ReturnType<typeof buildConnector>): Connect {
    return (options, callback) => {
      const socket = connect(options, callback);
      this.#sockets?.add(socket.on("error", nothing));
    };
  }
}

/** Opens a tunnel through a proxy. Any failure here is the proxy's, before anything is sent to the gateway. */
async function tunnel(
  pool: Pool,
  options: Dispatcher.ConnectOptions,
  proxy: string,
): Promise<Dispatcher.ConnectData<unknown>> {
  try {
    const data = await openTunnel.call(pool, options);
    if (data.statusCode === 200) return data;
    data.socket.on("error", () => undefined).destroy();
    throw new Error(`The proxy answered with status ${String(data.statusCode)}.`);
  } catch (cause) {
    throw new ProxyError(proxy, cause);
  }
}

const continueStatus = 100;
const processingStatus = 102;

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
    onHeadersComplete(status === continueStatus ? processingStatus : status, ...rest);
}

function isParser(value: unknown): value is Parser {
  return typeof value === "object" && value !== null && "onHeadersComplete" in value;
}

type Connect = (...args: Parameters<ReturnType<typeof buildConnector>>) => void;

const nothing = (): void => undefined;
