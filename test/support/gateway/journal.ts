import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Exchange } from "./exchange.ts";
import type { OpenRecord } from "./exchange.ts";

/** Records the requests to one or more servers. */
export class Journal {
  readonly records: OpenRecord[] = [];
  readonly #open = new Set<Exchange>();
  readonly #connections = new WeakMap<Socket, number>();
  #lastConnection = 0;

  /** Records a request at its arrival. */
  open(entry: OpenRecord["entry"], request: IncomingMessage, response: ServerResponse): Exchange {
    const record: OpenRecord = {
      entry,
      method: request.method ?? "",
      path: request.url ?? "",
      headers: plainHeaders(request),
      at: Date.now(),
      connection: this.#connectionOf(request.socket),
      processed: false,
    };
    const exchange = new Exchange(request, response, record);
    this.records.push(record);
    this.#open.add(exchange);
    response.once("close", () => this.#open.delete(exchange));
    return exchange;
  }

  /** Marks the connections of a server as closed by the gateway itself. */
  disown(entry: OpenRecord["entry"]): void {
    for (const exchange of this.#open) if (exchange.record.entry === entry) exchange.disown();
  }

  clear(): void {
    this.records.length = 0;
  }

  #connectionOf(socket: Socket): number {
    const known = this.#connections.get(socket);
    if (known !== undefined) return known;
    this.#lastConnection += 1;
    this.#connections.set(socket, this.#lastConnection);
    return this.#lastConnection;
  }
}

function plainHeaders(request: IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) headers[name] = [value ?? ""].flat().join(", ");
  return headers;
}
