import * as http from "node:http";
import * as https from "node:https";
import {
  type ExchangeLimits,
  type ExchangeOptions,
  type HttpAnswer,
  type HttpBody,
  type HttpRequest,
  TransportError,
} from "./exchange.ts";

/**
 * One exchange through Node's own https, which VS Code patches: it knows proxy scripts and Kerberos, and opens a new
 * connection for every request. The second road, for when the first cannot connect.
 * Throws `TransportError`, or the reason of `signal`.
 */
export async function nodeExchange(
  { method, url, headers, body }: HttpRequest,
  { limits, signal, lookup }: ExchangeOptions,
): Promise<HttpAnswer> {
  const { request } = url.protocol === "https:" ? https : http;
  const outgoing = request(url, { method, headers, signal, lookup });
  const timer = limitTimer(outgoing);
  const progress = { isConnected: false };
  outgoing.once("socket", (socket) => {
    const start = (): void => {
      progress.isConnected = true;
      timer.set(limits.headers);
    };
    if (socket.connecting) socket.once(url.protocol === "https:" ? "secureConnect" : "connect", start);
    else start();
  });
  timer.set(limits.connect);
  try {
    const incoming = await new Promise<http.IncomingMessage>((resolve, reject) => {
      outgoing.once("response", resolve);
      outgoing.once("error", reject);
      outgoing.end(body);
    });
    timer.set(limits.idle);
    return { status: incoming.statusCode ?? 0, headers: incoming.headers, body: bodyOf(incoming, limits, timer) };
  } catch (cause) {
    timer.clear();
    signal.throwIfAborted();
    if (!progress.isConnected && timer.isOver) throw new TransportError("no", undefined, true);
    throw new TransportError(progress.isConnected ? "maybe" : "no", cause);
  }

  function bodyOf(incoming: http.IncomingMessage, { idle }: ExchangeLimits, idleTimer: LimitTimer): HttpBody {
    const chunks: AsyncIterator<Buffer> = incoming[Symbol.asyncIterator]();
    const end = (): Promise<IteratorReturnResult<undefined>> => {
      idleTimer.clear();
      outgoing.destroy();
      return Promise.resolve({ done: true, value: undefined });
    };
    return {
      [Symbol.asyncIterator]() {
        return this;
      },
      return: end,
      async next() {
        try {
          const result = await chunks.next();
          idleTimer.set(idle);
          return result.done ? await end() : { done: false, value: result.value };
        } catch (cause) {
          await end();
          signal.throwIfAborted();
          throw new TransportError("maybe", cause);
        }
      },
    };
  }
}

interface LimitTimer {
  readonly isOver: boolean;
  set(limit: number): void;
  clear(): void;
}

/** Destroys a request when nothing has set the timer anew for as long as its limit. */
function limitTimer(outgoing: http.ClientRequest): LimitTimer {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const clear = (): void => {
    clearTimeout(timer);
  };
  return {
    get isOver() {
      return isOver;
    },
    clear,
    set(limit) {
      clear();
      timer = setTimeout(() => {
        isOver = true;
        outgoing.destroy(Object.assign(new Error("Time is over."), { code: "UND_ERR_HEADERS_TIMEOUT" }));
      }, limit);
    },
  };
}
