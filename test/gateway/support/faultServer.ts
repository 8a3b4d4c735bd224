import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer as createTcpServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";

/** A request as it arrived, byte by byte. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  /** Status line and headers. */
  readonly head: string;
  readonly body: string;
}

/** A connection on which a complete request has arrived. */
export interface Exchange {
  readonly socket: Socket;
  readonly request: SeenRequest;
  /** Marks the answer as complete, so that the connection may stay open. */
  readonly done: () => void;
}

/** How the server responds to a request. */
export type Fault = (exchange: Exchange) => void;

/** The certificates under `certificates/`; `ca.pem` signed all but `selfSigned`. */
export type CertificateName = "localhost" | "wrongHost" | "selfSigned";

/** Options of the server. */
export interface FaultServerOptions {
  readonly certificate?: CertificateName | undefined;
  /** Replaces the reading of requests. */
  readonly onConnection?: ((socket: Socket) => void) | undefined;
}

/** The path of a certificate's PEM file. */
export function certificateFile(name: CertificateName | "ca"): string {
  return `${import.meta.dirname}/certificates/${name}.pem`;
}

/** A server on loopback that misbehaves in a given way, and records every byte it receives. */
export class FaultServer implements AsyncDisposable {
  readonly requests: SeenRequest[] = [];
  /** Every byte received, including incomplete requests. */
  seen = "";
  connections = 0;
  /** Whether liveness checks (requests without key and body) are answered. */
  isAlive = true;
  readonly #server: Server;
  readonly #open = new Set<Socket>();
  readonly #idle = new WeakSet<Socket>();
  readonly #queue: Fault[] = [];
  #always: Fault;

  readonly #scheme: "http" | "https";

  private constructor({ certificate, onConnection }: FaultServerOptions, usual: Fault) {
    this.#always = usual;
    this.#scheme = certificate ? "https" : "http";
    const accept = (socket: Socket): void => {
      if (onConnection) onConnection(socket.resume());
      else this.#read(socket);
    };
    if (certificate === undefined || onConnection) this.#server = createTcpServer(accept);
    else {
      const pem = readFileSync(certificateFile(certificate));
      this.#server = createTlsServer({ key: pem, cert: pem }, accept);
      this.#server.on("tlsClientError", () => undefined);
    }
    this.#server.on("connection", (socket: Socket) => {
      this.connections += 1;
      this.#open.add(socket);
      socket.on("error", () => undefined);
      socket.once("close", () => this.#open.delete(socket));
    });
  }

  /** Listens on a free port. Requests get `usual` unless something else is queued. */
  static async start(usual: Fault, options: FaultServerOptions = {}): Promise<FaultServer> {
    const server = new FaultServer(options, usual);
    server.#server.listen(0, "127.0.0.1");
    await once(server.#server, "listening");
    return server;
  }

  get port(): number {
    const address = this.#server.address();
    if (typeof address !== "object" || address === null) throw new Error("The server is stopped.");
    return address.port;
  }

  get url(): string {
    return `${this.#scheme}://localhost:${String(this.port)}`;
  }

  /** Open connections that are not just waiting for the next request. */
  get busy(): number {
    return [...this.#open].filter((socket) => !this.#idle.has(socket)).length;
  }

  get open(): number {
    return this.#open.size;
  }

  get posts(): number {
    return this.requests.filter(({ method }) => method === "POST").length;
  }

  /** The number of liveness checks. */
  get probes(): number {
    return this.requests.filter(({ method }) => method === "HEAD").length;
  }

  /** Queues faults for the next requests, one each. */
  next(...faults: readonly Fault[]): void {
    this.#queue.push(...faults);
  }

  always(fault: Fault): void {
    this.#always = fault;
  }

  forget(): void {
    this.requests.length = 0;
    this.seen = "";
  }

  /** Closes idle connections, like a server whose keep-alive time is over. */
  closeIdle(): void {
    for (const socket of this.#open) if (this.#idle.has(socket)) socket.destroy();
  }

  /** Resets idle connections, like a firewall or a restarted server. */
  resetIdle(): void {
    for (const socket of this.#open) if (this.#idle.has(socket)) socket.resetAndDestroy();
  }

  /** Closes the port and every connection. */
  async stop(): Promise<void> {
    if (!this.#server.listening) return;
    for (const socket of this.#open) socket.destroy();
    this.#server.close();
    await once(this.#server, "close");
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  #read(socket: Socket): void {
    // So is one that was opened before there is a request.
    this.#idle.add(this.#connectionOf(socket));
    let head: string | undefined;
    let chunks: Buffer[] = [];
    socket.on("error", () => undefined);
    socket.on("data", (chunk) => {
      this.seen += chunk.toString("latin1");
      this.#idle.delete(this.#connectionOf(socket));
      chunks.push(chunk);
      if (head === undefined) {
        const received = Buffer.concat(chunks);
        const end = received.indexOf("\r\n\r\n");
        if (end < 0) return;
        head = received.toString("latin1", 0, end);
        chunks = [received.subarray(end + 4)];
      }
      const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
      if (chunks.reduce((sum, one) => sum + one.length, 0) < length) return;
      const body = Buffer.concat(chunks).toString("utf8", 0, length);
      const request = { head, body };
      [head, chunks] = [undefined, []];
      const [method = "", path = ""] = request.head.split(" ");
      this.#answer(socket, { method, path, ...request });
    });
  }

  #answer(socket: Socket, request: SeenRequest): void {
    this.requests.push(request);
    const done = (): void => void this.#idle.add(this.#connectionOf(socket));
    if (request.method !== "HEAD") (this.#queue.shift() ?? this.#always)({ socket, request, done });
    else if (this.isAlive) socket.end("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
  }

  /** The TCP connection below a TLS socket, which is what the server counts. */
  #connectionOf(socket: Socket): Socket {
    return [...this.#open].find((open) => open.remotePort === socket.remotePort) ?? socket;
  }
}
