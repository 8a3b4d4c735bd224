import { once } from "node:events";
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { parseJson } from "../../../src/base/json.ts";
import type { RecordedRequest } from "./types.ts";

/** The record of a request that is being answered. */
export type OpenRecord = { -readonly [K in keyof RecordedRequest]: RecordedRequest[K] };

/** One request with its answer, and the record of both. */
export class Exchange {
  readonly record: OpenRecord;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #gone = new AbortController();
  #isBroken = false;

  constructor(request: IncomingMessage, response: ServerResponse, record: OpenRecord) {
    this.#request = request;
    this.#response = response;
    this.record = record;
    response.once("close", () => {
      if (response.writableFinished) record.ended = Date.now();
      else if (!this.#isBroken) record.closed = Date.now();
      this.#gone.abort();
    });
  }

  get signal(): AbortSignal {
    return this.#gone.signal;
  }

  /** Reads and records the body: parsed if it is JSON, else as text. */
  async read(): Promise<unknown> {
    const chunks: Buffer[] = [];
    for await (const chunk of this.#request) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString("utf8");
    this.record.body = text === "" ? undefined : (parseJson(text) ?? text);
    return this.record.body;
  }

  /** Sends the status line and the headers. */
  begin(status: number, headers: OutgoingHttpHeaders): void {
    this.record.status = status;
    const id = this.record.requestId;
    this.#response.writeHead(status, id === undefined ? headers : { "x-request-id": id, ...headers });
    this.#response.flushHeaders();
  }

  /** Sends one piece of the body. Rejects once the connection is gone. */
  async write(piece: string | Uint8Array): Promise<void> {
    this.signal.throwIfAborted();
    if (this.#response.write(piece)) return;
    await once(this.#response, "drain", { signal: this.signal });
  }

  end(): void {
    this.#response.end();
  }

  send(status: number, headers: OutgoingHttpHeaders, body: string | Uint8Array): void {
    this.begin(status, { "content-length": Buffer.byteLength(body), ...headers });
    this.#response.end(this.record.method === "HEAD" ? undefined : body);
  }

  /** Closes the connection without another byte. */
  break(): void {
    this.#isBroken = true;
    this.#request.socket.destroy();
  }

  async pause(milliseconds: number): Promise<void> {
    if (milliseconds > 0) await sleep(milliseconds, undefined, { signal: this.signal });
  }
}

/** Adds a request to the `records` at its arrival. */
export function recordExchange(
  records: OpenRecord[],
  entry: OpenRecord["entry"],
  request: IncomingMessage,
  response: ServerResponse,
): Exchange {
  const { method = "", url: path = "" } = request;
  const fields = Object.entries(request.headers);
  const headers = Object.fromEntries(fields.map(([name, value = ""]) => [name, [value].flat().join(", ")]));
  const record: OpenRecord = { entry, method, path, headers, processed: false };
  records.push(record);
  return new Exchange(request, response, record);
}
