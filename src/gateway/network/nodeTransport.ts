import * as http from "node:http";
import * as https from "node:https";
import type { Socket } from "node:net";
import type { Trust } from "./certificates.ts";
import {
  exchange,
  type Exchange,
  type ExchangeController,
  type ExchangeOptions,
  type HttpAnswer,
  type HttpRequest,
} from "./exchange.ts";
import { assertAllowed } from "./privateAddresses.ts";

/**
 * Makes one exchange through Node's https, which VS Code patches to support proxy scripts and Kerberos. This is the
 * fallback transport, because VS Code opens a new connection for every request (microsoft/vscode#173861). Throws
 * `TransportError`, what `trust` throws, or the reason of `signal`.
 */
export async function nodeExchange(
  request: HttpRequest,
  options: ExchangeOptions,
  trust: () => Promise<Trust | undefined>,
): Promise<HttpAnswer> {
  const running: { outgoing?: http.ClientRequest } = {};
  const start = (handler: Exchange, trusted: Trust | undefined): void => {
    running.outgoing = send(request, { lookup: options.lookup, ...trusted }, handler, () => {
      start(handler, trusted);
    });
  };
  try {
    return await exchange(async (handler) => {
      // A proxy of the system or of a script may resolve the name.
      await assertAllowed(request.url, options.lookup);
      const trusted = await trust();
      if (!handler.isOver) start(handler, trusted);
    }, options);
  } catch (error) {
    running.outgoing?.destroy();
    throw error;
  }
}

/** Sends a request, and calls a handler in the form of undici's, or `again` if the connection may be stale. */
function send(
  { method, url, headers, body }: HttpRequest,
  options: Pick<ExchangeOptions, "lookup"> & Partial<Trust>,
  handler: Exchange,
  again: () => void,
): http.ClientRequest {
  const isSecure = url.protocol === "https:";
  const { request } = isSecure ? https : http;
  const fail = (error: Error): void => {
    outgoing.destroy();
    handler.onResponseError(undefined, error);
  };
  // No `agent`: with `http.proxySupport` "on", VS Code skips requests that set one. With `ca`, it adds no certificates of its
  // own, and Node's agent resumes no session of a request that trusts others (src/index.ts in microsoft/vscode-proxy-agent).
  const outgoing = request(url, { ...options, method, headers, rejectUnauthorized: true });
  outgoing.shouldKeepAlive = false;
  outgoing.on("error", fail);
  let incoming: http.IncomingMessage | undefined;
  const controller: ExchangeController = {
    get paused() {
      return incoming?.isPaused() ?? false;
    },
    abort: () => void outgoing.destroy(),
    pause: () => void incoming?.pause(),
    resume: () => void incoming?.resume(),
  };
  outgoing.once("socket", (socket) => {
    if (outgoing.reusedSocket) {
      // An idle connection of the global agent, which may be stale. Nothing is sent yet.
      outgoing.off("error", fail).on("error", () => undefined);
      outgoing.destroy();
      again();
      return;
    }
    onceConnected(socket, isSecure, () => {
      handler.onRequestStart(controller);
      if (!handler.isOver) outgoing.end(body);
    });
  });
  outgoing.on("information", ({ statusCode }) => {
    handler.onResponseStart(controller, statusCode, {});
  });
  outgoing.once("upgrade", (_incoming, socket) => {
    socket.destroy();
    fail(new Error("The server changes to another protocol."));
  });
  outgoing.once("response", (response) => {
    incoming = response;
    response.on("error", fail);
    response.on("data", (chunk: Buffer) => {
      handler.onResponseData(controller, chunk);
    });
    response.once("end", () => {
      handler.onResponseEnd();
    });
    handler.onResponseStart(controller, response.statusCode ?? 0, response.headersDistinct);
  });
  return outgoing;
}

/** Calls `begin` when the socket is ready for a request; TLS may still follow on a connected tunnel. */
function onceConnected(socket: Socket, isSecure: boolean, begin: () => void): void {
  const isShakingHands = isSecure && Reflect.get(socket, "secureConnecting") === true;
  if (socket.connecting || isShakingHands) socket.once(isSecure ? "secureConnect" : "connect", begin);
  else begin();
}
