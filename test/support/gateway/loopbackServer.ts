import { once } from "node:events";
import { createServer } from "node:http";
import type { RequestListener, Server } from "node:http";

const portsToTry = 50;

/** An HTTP server on 127.0.0.1 that can stop and restart on the same port. */
export class LoopbackServer {
  readonly #server: Server;
  #connections = 0;
  #port: number;

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.#port = port;
    server.on("connection", () => (this.#connections += 1));
  }

  /** The number of connections so far. */
  get connections(): number {
    return this.#connections;
  }

  /** Listens on `port`, or on the next free one; 0: on any. */
  static async start(port: number, listener: RequestListener): Promise<LoopbackServer> {
    const server = createServer({ keepAliveTimeout: 60_000, requestTimeout: 0 }, listener);
    const loopback = new LoopbackServer(server, port);
    await loopback.#listenFrom(port);
    return loopback;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Frees the port and closes every connection. */
  async stop(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = once(this.#server, "close");
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  /** Restarts on the same port. */
  async restart(): Promise<void> {
    if (this.#server.listening) return;
    await this.#listen(this.#port);
  }

  async #listenFrom(first: number): Promise<void> {
    for (let port = first; ; port += 1) {
      try {
        await this.#listen(port);
        return;
      } catch (error) {
        if (!isPortBusy(error) || port >= first + portsToTry) throw error;
      }
    }
  }

  async #listen(port: number): Promise<void> {
    this.#server.listen(port, "127.0.0.1");
    await once(this.#server, "listening");
    const address = this.#server.address();
    if (typeof address === "object" && address !== null) this.#port = address.port;
  }
}

function isPortBusy(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "EADDRINUSE" || error.code === "EACCES");
}
