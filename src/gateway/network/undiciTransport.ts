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

/** How connections are made. */
export interface ConnectionOptions {
  readonly proxy: { readonly url: URL; readonly authorization: string; readonly strictSsl: boolean } | undefined;
  readonly secureContext: SecureContext | undefined;
  readonly lookup: LookupFunction | undefined;
  /** Milliseconds until a connection attempt is given up. */
  readonly timeout: number;
}

/** How long an idle connection is kept, in milliseconds; a server's own Keep-Alive hint shortens it. */
const keepAliveTimeout = 30_000;

/** Connections of one kind, kept alive between requests. */
export class Connections {
  readonly #dispatcher: Dispatcher;
  readonly #connecting = new Set<Socket>();
  /** Sockets to the proxy, which it may not have answered yet. */
  readonly #toProxy = new Set<Socket>();
  /** What connections broke with that had been established. */
  readonly #breaks = new WeakSet<Error>();
  #waiting = 0;

  constructor({ proxy, secureContext, lookup, timeout }: ConnectionOptions) {
    // Without `rejectUnauthorized` an environment variable can switch the check off.
    const tls = { timeout, rejectUnauthorized: true, ...(secureContext && { secureContext }) };
    const shared = { allowH2: false, keepAliveTimeout };
    if (proxy === undefined) {
      // Node's 250 ms for each address are too short for a far-away gateway.
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
        // A pool gets its `connect` only from undici's index, which is not loaded.
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

  /** One exchange, as `exchange` does it. When it ends before it was connected, its socket is closed at once. */
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

  /** Lets running exchanges end, then closes their connections. */
  async close(): Promise<void> {
    await this.#dispatcher.close();
  }

  /** Closes everything at once. */
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

  /** Whether a kept connection broke while it was idle, and undici (8.12) told the next request of it. */
  #isStale(error: unknown): error is TransportError {
    if (!(error instanceof TransportError) || error.sent !== "no") return false;
    const cause: unknown = error.cause;
    return cause instanceof Error && this.#breaks.has(cause);
  }

  /** Prepares sockets for undici once they are connected. */
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

  /** Notes sockets while they connect, and in `open` until they are closed. */
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
