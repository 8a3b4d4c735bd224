import { once } from "node:events";
import type { EntryName, KeyGroup } from "../../../src/gateway/types.ts";
import { refusalOf, errorBody, isProxyStatus, Refusal } from "./refusal.ts";
import type { Exchange } from "./exchange.ts";
import { isRecord } from "./json.ts";
import { ServerScript } from "./script.ts";
import type { Fault, Modes, Operation, RecordedRequest } from "./types.ts";

/** The context of an operation. */
export interface OperationContext {
  readonly exchange: Exchange;
  readonly modes: Modes;
  readonly fault: Fault | undefined;
  readonly body: Readonly<Record<string, unknown>>;
  /** Unique among the answers of both entries. */
  readonly id: string;
  /** Waits while the answer is held midway. */
  readonly midAnswer: () => Promise<void>;
}

/** Answers an operation, or throws `Refusal`. */
export type Handler = (context: OperationContext) => Promise<void>;

type Handlers = Readonly<Record<Operation, Handler>>;

type Keys = Readonly<Record<KeyGroup, string>>;

const operations: Readonly<Record<string, Operation>> = {
  "/v1/chat/completions": "chat",
  "/v1/responses": "responses",
  "/v1/images/generations": "image",
};

/** The default modes of an entry. */
export const usualModes: Modes = {
  strict: false,
  responsesOnly: "none",
  refuses: [],
  sizes: ["1024x1024", "1536x1024", "1024x1536"],
  usage: true,
  finish: "stop",
  chunkDelay: 0,
  hold: "no",
};

/** One entry of the service: routes requests, checks keys, and applies faults. */
export class Entry {
  readonly script: ServerScript<Fault, Modes>;
  readonly gate = new Gate();
  readonly #name: EntryName;
  readonly #keys: Keys;
  readonly #handlers: Handlers;
  #answers = 0;

  constructor(name: EntryName, modes: Modes, keys: Keys, handlers: Handlers) {
    this.#name = name;
    this.script = new ServerScript(modes);
    this.#keys = keys;
    this.#handlers = handlers;
  }

  /** Answers a request, or breaks its connection. */
  async answer(exchange: Exchange): Promise<void> {
    const { record } = exchange;
    const { modes } = this.script;
    this.#answers += 1;
    const id = `${this.#name}-${this.#answers}`;
    record.requestId = `req-${id}`;
    record.operation = operations[new URL(record.path, "http://gateway").pathname];
    const fault = this.script.take((candidate) => isFor(candidate, exchange));
    try {
      const body = await exchange.read();
      if (modes.hold === "beforeHeaders" && asksModel(record)) await this.gate.wait(exchange.signal);
      if (fault?.status !== undefined) this.#sendFault(exchange, fault, fault.status);
      else if (fault?.broken === "closed") this.#break(exchange);
      else await this.#serve(exchange, modes, fault, body, id);
    } catch (error) {
      if (exchange.signal.aborted) return;
      const refusal =
        error instanceof Refusal
          ? error
          : new Refusal(500, "internal_error", `The local gateway has a fault: ${String(error)}`);
      const [type, body] = errorBody(refusal);
      exchange.send(refusal.status, { "content-type": type }, body);
    }
  }

  async #serve(exchange: Exchange, modes: Modes, fault: Fault | undefined, body: unknown, id: string): Promise<void> {
    const { operation, method, path } = exchange.record;
    if (operation === undefined) throw new Refusal(404, "not_found", `Invalid URL (${method} ${path})`);
    if (method !== "POST") throw new Refusal(405, "method_not_allowed", `${method} is not allowed here.`);
    this.#checkKey(exchange, operation);
    if (!isRecord(body)) throw new Refusal(400, "invalid_json", "The body is not a JSON object.");
    if (!/^application\/json\b/i.test(exchange.record.headers["content-type"] ?? ""))
      throw new Refusal(415, "unsupported_media_type", "Content-Type must be application/json.");
    if (operation === "chat" && modes.responsesOnly === "all")
      throw new Refusal(404, "invalid_request_error", servedByResponses, "model");
    refuseFields(body, modes.refuses);
    if (modes.strict) refuseUndocumented(operation, body);
    const midAnswer = async (): Promise<void> => {
      if (modes.hold === "midAnswer") await this.gate.wait(exchange.signal);
    };
    await this.#handlers[operation]({ exchange, modes, fault, body, id, midAnswer });
  }

  #checkKey(exchange: Exchange, operation: Operation): void {
    const key = this.#keys[operation === "image" ? "image" : "codex"];
    if (exchange.record.headers.authorization !== `Bearer ${key}`)
      throw new Refusal(401, "invalid_api_key", "The API key is missing, wrong, expired, or of the other group.");
  }

  #sendFault(exchange: Exchange, fault: Fault, status: number): void {
    exchange.record.processed = isProxyStatus(status);
    const [type, body] = errorBody(refusalOf(fault, status));
    exchange.send(status, { "content-type": type, ...fault.headers }, fault.body ?? body);
  }

  /** Ends without an answer. An image request may have been processed nevertheless. */
  #break(exchange: Exchange): void {
    exchange.record.processed = true;
    exchange.break();
  }
}

function isFor(fault: Fault, { record }: Exchange): boolean {
  return asksModel(record) && (fault.operation === undefined || fault.operation === record.operation);
}

/** Whether a request is for a model, and not a liveness check. */
function asksModel({ operation, method }: RecordedRequest): boolean {
  return operation !== undefined && method === "POST";
}

/** Holds answers until they are released. */
class Gate {
  #released = new AbortController();
  size = 0;

  /** Waits for `release()`, or for the end of `signal`. */
  async wait(signal: AbortSignal): Promise<void> {
    const isOver = AbortSignal.any([signal, this.#released.signal]);
    this.size += 1;
    if (!isOver.aborted) await once(isOver, "abort");
    this.size -= 1;
    signal.throwIfAborted();
  }

  release(): void {
    this.#released.abort();
    this.#released = new AbortController();
  }
}

const documented: Readonly<Record<Operation, readonly string[]>> = {
  chat: ["model", "messages"],
  responses: ["model", "input"],
  image: ["model", "prompt", "size"],
};

type Fields = Readonly<Record<string, unknown>>;

function refuseFields(body: Fields, refused: readonly string[]): void {
  const field = refused.find((name) => name in body);
  if (field !== undefined) throw unknownField(field);
}

/** Rejects all fields that the gateway's interface does not show. */
function refuseUndocumented(operation: Operation, body: Fields): void {
  const field = Object.keys(body).find((name) => !documented[operation].includes(name));
  if (field !== undefined) throw unknownField(field);
  if (operation === "chat" && Array.isArray(body.messages)) for (const one of body.messages) checkMessage(one);
  if (operation === "responses") refuseList(body);
}

function refuseList({ input }: Fields): void {
  if (typeof input !== "string") throw new Refusal(400, "invalid_type", "'input' must be a string.", "input");
}

function checkMessage(message: unknown): void {
  if (!isRecord(message)) return;
  const field = Object.keys(message).find((name) => name !== "role" && name !== "content");
  if (field !== undefined) throw unknownField(`messages[].${field}`);
  if (typeof message.content !== "string")
    throw new Refusal(400, "invalid_type", "'messages[].content' must be a string.", "messages[].content");
}

function unknownField(field: string): Refusal {
  return new Refusal(400, "unknown_parameter", `Unknown parameter: '${field}'.`, field);
}

/** The error of a gateway that serves a model through responses only, in the words of OpenAI's API. */
export const servedByResponses = "This model is only supported in v1/responses and not in v1/chat/completions.";
