import type buildConnector from "undici/lib/core/connect.js";
import { asError } from "../abort.ts";
import type { ExchangeHandler } from "./runningExchange.ts";

/** undici's function that connects a client. */
export type Connect = (...args: Parameters<ReturnType<typeof buildConnector>>) => void;

type Callback = Parameters<Connect>[1];

const nothing = (): void => undefined;

/**
 * Opens a connection before there is a request for it. undici has no function for that: a request is dispatched that
 * refuses to be written, which costs the connection nothing (`writeH1` in lib/dispatcher/client-h1.js, undici 8.12). The
 * connection waits in undici's pool like any kept one, without keeping the process alive, for as long as any other. A
 * real request that comes while it is being opened takes it over, together with its failure.
 */
export class AheadConnector {
  #isStarting = false;
  /** Who gets the connection that is being opened ahead. */
  #taker: Callback | undefined;

  get isConnecting(): boolean {
    return this.#taker !== undefined;
  }

  /** Resolves when the connection is open or taken over. Rejects if it fails. `dispatch` sends a request to undici. */
  open(dispatch: (handler: ExchangeHandler) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#isStarting = true;
      try {
        dispatch({
          // Called when the connection is ready, before anything is written.
          onRequestStart: () => {
            resolve();
            throw new Error("There is no request yet.");
          },
          onResponseStart: nothing,
          onResponseData: nothing,
          onResponseEnd: nothing,
          onResponseError: (_controller, error) => {
            if (error instanceof TakenOver) resolve();
            else reject(error);
          },
        });
      } catch (error) {
        reject(asError(error));
      } finally {
        this.#isStarting = false;
      }
    });
  }

  /** Makes a connect function hand over connections that are being opened ahead. */
  wrap(connect: Connect): Connect {
    return (options, callback) => {
      const waiting = this.#taker;
      if (waiting) {
        this.#taker = callback;
        queueMicrotask(() => {
          waiting(new TakenOver(), null);
        });
      } else if (this.#isStarting) {
        this.#taker = callback;
        connect(options, (...result: Parameters<Callback>) => {
          const taker = this.#taker;
          this.#taker = undefined;
          taker?.(...result);
        });
      } else connect(options, callback);
    };
  }
}

/** A real request has taken over the connection. */
class TakenOver extends Error {
  override readonly name = "TakenOver";
}
