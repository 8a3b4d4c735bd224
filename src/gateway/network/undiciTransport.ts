import type { LookupFunction, Socket } from "node:net";
import type { SecureContext } from "node:tls";
import type { Dispatcher } from "undici";
import buildConnector from "undici/lib/core/connect.js";
import Agent from "undici/lib/dispatcher/agent.js";
import Pool from "undici/lib/dispatcher/pool.js";
import ProxyAgent from "undici/lib/dispatcher/proxy-agent.js";
import openTunnel from "undici/lib/api/api-connect.js";
import { type ExchangeOptions, type HttpAnswer, type HttpRequest, TransportError } from "./exchange.ts";
import { ignoreContinue } from "./ignoreContinue.ts";
import { plainLookup } from "./privateAddresses.ts";
import { exchange, type ExchangeHandler } from "./runningExchange.ts";

/** Options of connections. */
export interface ConnectionOptions {
  readonly proxy: { readonly url: URL; readonly authorization: string; readonly strictSsl: boolean } | undefined;
  readonly secureContext: SecureContext | undefined;
  readonly lookup: LookupFunction | undefined;
  /** Connect timeout, in milliseconds. */
  readonly timeout: number;
}

/** Keep-alive timeout of idle connections, in milliseconds; a server's `Keep-Alive` header can shorten it. */
const keepAliveTimeout = 30_000;

/** A set of keep-alive connections with the same options. */
export class Connections {
  readonly #dispatcher: Dispatcher;
  readonly #connecting = new Set<Socket>();
  /** Sockets to the proxy, which may not have answered yet. */
  readonly #toProxy = new Set<Socket>();
  /** Errors of established connections. */
  readonly #breaks = new WeakSet<Error>();
  #waiting = 0;

  constructor({ proxy, secureContext, lookup, timeout }: ConnectionOptions) {
    // Explicit, because the environment variable NODE_TLS_REJECT_UNAUTHORIZED=0 turns verification off otherwise
    // (Node's CLI documentation).
    const tls = { timeout, rejectUnauthorized: true, ...(secureContext && { secureContext }) };
    const shared = { allowH2: false, keepAliveTimeout };
    if (proxy === undefined) {
      // Node's default of 250 ms per address is too short for distant servers (nodejs/node#54359).
      const options = { ...tls, lookup: lookup ?? plainLookup, allowH2: false, autoSelectFamilyAttemptTimeout: 1_000 };
      const connect = this.#watched(this.#tracked(buildConnector(options)));
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
            ...(connect && { connect: typeof connect === "function" ? this.#watched(connect) : connect }),
          }),
        // `Pool` has no `connect` of its own: undici's index adds it to `Dispatcher.prototype` (undici 8.12), and the
        // index is not loaded.
        clientFactory: (origin) =>
          Object.assign(
            new Pool(origin, { ...shared, connect: this.#tracked(buildConnector(proxyTls), this.#toProxy) }),
            {
              connect: openTunnel,
            },
          ),
      });
    }
  }

  /** Makes one exchange. If it ends before connecting, its socket is closed at once. */
  async exchange(request: HttpRequest, options: ExchangeOptions): Promise<HttpAnswer> {
    this.#waiting += 1;
    try {
      return await exchange((handler) => {
        this.#dispatch(request, options, handler);
      }, options);
    } catch (error) {
      if (this.#waiting === 1) this.#abandon();
      throw this.#isStale(error) ? new TransportError("no", error.cause, { isStale: true }) : error;
    } finally {
      this.#waiting -= 1;
    }
  }

  #dispatch({ method, url, headers, body }: HttpRequest, { limits }: ExchangeOptions, handler: ExchangeHandler): void {
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
    const unanswered = [...this.#toProxy].filter(({ bytesRead }) => bytesRead === 0);
    for (const socket of [...this.#connecting, ...unanswered]) {
      socket.destroy(new Error("Nobody waits for this connection any more."));
    }
  }

  /** Whether a kept connection broke while idle and undici (8.12) reported it to the next request. */
  #isStale(error: unknown): error is TransportError {
    if (!(error instanceof TransportError) || error.sent !== "no") return false;
    const cause: unknown = error.cause;
    return cause instanceof Error && this.#breaks.has(cause);
  }

  /** Prepares connected sockets for undici. */
  #watched(connect: Connect): Connect {
    return (options, callback) => {
      connect(options, (...result: Parameters<typeof callback>) => {
        const [, socket] = result;
        socket?.on("error", (error: Error) => this.#breaks.add(error));
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

type Connect = (...args: Parameters<ReturnType<typeof buildConnector>>) => void;
