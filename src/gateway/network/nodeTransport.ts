import * as http from "node:http";
import * as https from "node:https";
import type { Socket } from "node:net";
import type { ExchangeOptions, HttpAnswer, HttpRequest } from "./exchange.ts";
import { exchange, type ExchangeHandler } from "./runningExchange.ts";

/**
 * One exchange through Node's own https, which VS Code patches: it knows proxy scripts and Kerberos. Every request takes
 * a new connection, as VS Code does (microsoft/vscode#173861). The second road, for when the first cannot connect.
 * Throws `TransportError`, or the reason of `signal`.
 */
export async function nodeExchange(request: HttpRequest, options: ExchangeOptions): Promise<HttpAnswer> {
  const running = new NodeRequest(request, options);
  try {
    return await exchange((handler) => {
      running.start(handler);
    }, options);
  } catch (error) {
    running.abort();
    throw error;
  }
}

/** One request of Node's, which tells a handler what undici would tell it. */
class NodeRequest {
  paused = false;
  // What undici's controllers have besides, and nobody here asks for.
  readonly aborted = false;
  readonly reason = null;
  readonly #request: HttpRequest;
  readonly #options: ExchangeOptions;
  #outgoing: http.ClientRequest | undefined;
  #incoming: http.IncomingMessage | undefined;
  #timer: NodeJS.Timeout | undefined;
  #onTimeout: () => void = () => undefined;

  constructor(request: HttpRequest, options: ExchangeOptions) {
    this.#request = request;
    this.#options = options;
  }

  start(handler: ExchangeHandler): void {
    const { method, url, headers, body } = this.#request;
    const { limits, lookup } = this.#options;
    const { request } = url.protocol === "https:" ? https : http;
    const fail = (error: Error): void => {
      this.abort();
      handler.onResponseError(this, error);
    };
    this.#onTimeout = () => {
      fail(Object.assign(new Error("Time is over."), { code: "UND_ERR_HEADERS_TIMEOUT" }));
    };
    // Not `agent: false`: with `http.proxySupport` "on" VS Code leaves requests with an agent of their own alone.
    const outgoing = request(url, { method, headers, lookup, rejectUnauthorized: true });
    outgoing.shouldKeepAlive = false;
    this.#outgoing = outgoing;
    outgoing.on("error", fail);
    outgoing.once("socket", (socket) => {
      if (outgoing.reusedSocket) {
        // Somebody else's kept connection, which may be stale; nothing is sent yet.
        outgoing.off("error", fail).on("error", () => undefined);
        outgoing.destroy();
        this.start(handler);
        return;
      }
      onceConnected(socket, url.protocol === "https:", () => {
        handler.onRequestStart(this, undefined);
        this.#setTimer(limits.headers);
      });
    });
    outgoing.on("information", ({ statusCode }) => {
      handler.onResponseStart(this, statusCode, {});
    });
    outgoing.once("upgrade", (_incoming, socket) => {
      socket.destroy();
      fail(new Error("The server changes to another protocol."));
    });
    outgoing.once("response", (incoming) => {
      this.#incoming = incoming;
      this.#read(incoming, handler, fail);
    });
    outgoing.end(body);
  }

  pause(): void {
    this.paused = true;
    clearTimeout(this.#timer);
    this.#incoming?.pause();
  }

  resume(): void {
    this.paused = false;
    this.#setTimer(this.#options.limits.idle);
    this.#incoming?.resume();
  }

  abort(): void {
    clearTimeout(this.#timer);
    this.#outgoing?.destroy();
  }

  #read(incoming: http.IncomingMessage, handler: ExchangeHandler, fail: (error: Error) => void): void {
    this.#setTimer(this.#options.limits.idle);
    incoming.on("error", fail);
    incoming.on("data", (chunk: Buffer) => {
      if (!this.paused) this.#timer?.refresh();
      handler.onResponseData(this, chunk);
    });
    incoming.once("end", () => {
      clearTimeout(this.#timer);
      handler.onResponseEnd(this, {});
    });
    handler.onResponseStart(this, incoming.statusCode ?? 0, incoming.headersDistinct);
  }

  #setTimer(limit: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#onTimeout, limit);
  }
}

/** Calls `begin` when the socket is ready for a request: TLS may follow on a tunnel that is connected already. */
function onceConnected(socket: Socket, isSecure: boolean, begin: () => void): void {
  const isShakingHands = isSecure && Reflect.get(socket, "secureConnecting") === true;
  if (socket.connecting || isShakingHands) socket.once(isSecure ? "secureConnect" : "connect", begin);
  else begin();
}
