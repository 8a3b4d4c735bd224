import * as http from "node:http";
import * as https from "node:https";
import type { Socket } from "node:net";
import { exchange, type ExchangeHandler, type ExchangeOptions, type HttpAnswer, type HttpRequest } from "./exchange.ts";

/**
 * Makes one exchange through Node's https, which VS Code patches to support proxy scripts and Kerberos. This is the
 * fallback transport, because VS Code opens a new connection for every request (microsoft/vscode#173861). Throws
 * `TransportError`, or the reason of `signal`.
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

/** One Node request, reported to a handler in undici's form. */
class NodeRequest {
  paused = false;
  // Required by undici's controller type (undici 8.12), unused here.
  readonly aborted = false;
  readonly reason = null;
  readonly #request: HttpRequest;
  readonly #options: ExchangeOptions;
  #outgoing: http.ClientRequest | undefined;
  #incoming: http.IncomingMessage | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;
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
    // No `agent`: with `http.proxySupport` "on", VS Code skips requests that set one (src/index.ts in
    // microsoft/vscode-proxy-agent).
    const outgoing = request(url, { method, headers, lookup, rejectUnauthorized: true });
    outgoing.shouldKeepAlive = false;
    this.#outgoing = outgoing;
    outgoing.on("error", fail);
    outgoing.once("socket", (socket) => {
      if (outgoing.reusedSocket) {
        // A kept connection of another user of the global agent, which may be stale. Nothing is sent yet.
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
    this.#setTimer(undefined);
    this.#incoming?.pause();
  }

  resume(): void {
    this.paused = false;
    this.#setTimer(this.#options.limits.idle);
    this.#incoming?.resume();
  }

  abort(): void {
    this.#isOver = true;
    this.#setTimer(undefined);
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
      this.#isOver = true;
      this.#setTimer(undefined);
      handler.onResponseEnd(this, {});
    });
    handler.onResponseStart(this, incoming.statusCode ?? 0, incoming.headersDistinct);
  }

  /** Sets the time limit for what comes next; `undefined`, and when the exchange is over: none. */
  #setTimer(limit: number | undefined): void {
    clearTimeout(this.#timer);
    this.#timer = limit === undefined || this.#isOver ? undefined : setTimeout(this.#onTimeout, limit);
  }
}

/** Calls `begin` when the socket is ready for a request; TLS may still follow on a connected tunnel. */
function onceConnected(socket: Socket, isSecure: boolean, begin: () => void): void {
  const isShakingHands = isSecure && Reflect.get(socket, "secureConnecting") === true;
  if (socket.connecting || isShakingHands) socket.once(isSecure ? "secureConnect" : "connect", begin);
  else begin();
}
