import type { LookupFunction, Socket } from "node:net";
import type { SecureContext } from "node:tls";
import type { Dispatcher } from "undici";
import buildConnector from "undici/lib/core/connect.js";
import Agent from "undici/lib/dispatcher/agent.js";
import Pool from "undici/lib/dispatcher/pool.js";
import ProxyAgent from "undici/lib/dispatcher/proxy-agent.js";
import openTunnel from "undici/lib/api/api-connect.js";
import { exchange, type ExchangeOptions, type HttpAnswer, type HttpRequest } from "./exchange.ts";

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
  #waiting = 0;

  constructor({ proxy, secureContext, lookup, timeout }: ConnectionOptions) {
    const tls = { timeout, ...(secureContext && { secureContext }) };
    const shared = { allowH2: false, keepAliveTimeout };
    if (proxy === undefined) {
      // Node's 250 ms for each address are too short for a far-away gateway.
      const options = { ...tls, ...(lookup && { lookup }), allowH2: false, autoSelectFamilyAttemptTimeout: 1_000 };
      const connect = this.#tracked(buildConnector(options));
      this.#dispatcher = new Agent({ ...shared, connect });
    } else {
      const proxyTls = { ...tls, rejectUnauthorized: proxy.strictSsl, allowH2: false };
      this.#dispatcher = new ProxyAgent({
        ...shared,
        uri: proxy.url.href,
        ...(proxy.authorization !== "" && { token: proxy.authorization }),
        requestTls: tls,
        proxyTls,
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
      return await exchange(this.#dispatcher, request, options);
    } catch (error) {
      if (this.#waiting === 1) this.#abandon();
      throw error;
    } finally {
      this.#waiting -= 1;
    }
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
