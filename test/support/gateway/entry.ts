import type { EntryName, KeyGroup } from "../../../src/gateway/types.ts";
import { type Complaint, complaintOf, errorBody, isProxyStatus, Refusal, shapeOfFault } from "./complaint.ts";
import { refuseFields, refuseList, refuseServedElsewhere, refuseUndocumented } from "./documentedFields.ts";
import type { Exchange } from "./exchange.ts";
import { isRecord } from "./json.ts";
import { ServerScript } from "./script.ts";
import type { Fault, Modes, Operation, RecordedRequest } from "./types.ts";

/** The context of an operation. */
export interface Turnaround {
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
export type Handler = (turnaround: Turnaround) => Promise<void>;

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
  inputList: true,
  refuses: [],
  errorShape: "openai",
  sizes: ["1024x1024", "1536x1024", "1024x1536"],
  ignoresStream: false,
  reasoning: false,
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
      else if (fault?.broken !== undefined && breakers[fault.broken]) breakers[fault.broken]?.(exchange);
      else await this.#serve(exchange, modes, fault, body, id);
    } catch (error) {
      if (exchange.signal.aborted) return;
      this.#complain(exchange, error instanceof Refusal ? error : unexpected(error));
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
    refuseServedElsewhere(operation, body, modes);
    refuseFields(body, modes.refuses);
    if (operation === "responses" && !modes.inputList) refuseList(body);
    if (modes.strict) refuseUndocumented(operation, body);
    const midAnswer = async (): Promise<void> => {
      if (modes.hold === "midAnswer") await this.gate.wait(exchange.signal);
    };
    await this.#handlers[operation]({ exchange, modes, fault, body, id, midAnswer });
  }

  #checkKey(exchange: Exchange, operation: Operation): void {
    const key = /^Bearer (.+)$/.exec(exchange.record.headers.authorization ?? "")?.[1];
    const group = key === this.#keys.codex ? "codex" : key === this.#keys.image ? "image" : undefined;
    if (key === undefined) throw new Refusal(401, "missing_api_key", "No API key was sent.");
    if (group === undefined) throw new Refusal(401, "invalid_api_key", "The API key is wrong or expired.");
    if (group !== (operation === "image" ? "image" : "codex"))
      throw new Refusal(401, "wrong_key_group", `A key of the ${group} group is not used for this.`);
  }

  #sendFault(exchange: Exchange, fault: Fault, status: number): void {
    exchange.record.processed = isProxyStatus(status);
    const [type, body] = errorBody(
      shapeOfFault(fault, status, this.script.modes.errorShape),
      complaintOf(fault, status),
    );
    const retryAfter = fault.retryAfter === undefined ? {} : { "retry-after": String(fault.retryAfter) };
    exchange.send(status, { "content-type": type, ...retryAfter, ...fault.headers }, fault.body ?? body);
  }

  #complain(exchange: Exchange, complaint: Complaint): void {
    const [type, body] = errorBody(this.script.modes.errorShape, complaint);
    exchange.send(complaint.status, { "content-type": type }, body);
  }
}

/** Faults without an answer. An image order may have been processed nevertheless. */
const breakers: Partial<Record<NonNullable<Fault["broken"]>, (exchange: Exchange) => void>> = {
  closed: (exchange) => {
    exchange.record.processed = true;
    exchange.break("close");
  },
  reset: (exchange) => {
    exchange.record.processed = true;
    exchange.break("reset");
  },
  empty: (exchange) => {
    exchange.record.processed = true;
    exchange.send(200, { "content-type": "application/json" }, "");
  },
};

function isFor(fault: Fault, { record }: Exchange): boolean {
  return asksModel(record) && (fault.operation === undefined || fault.operation === record.operation);
}

/** Whether a request is for a model, and not a liveness check. */
function asksModel({ operation, method }: RecordedRequest): boolean {
  return operation !== undefined && method === "POST";
}

function unexpected(error: unknown): Complaint {
  return { status: 500, code: "internal_error", message: `The local gateway has a fault: ${String(error)}` };
}

/** Holds answers until they are released. */
class Gate {
  readonly #held = new Set<() => void>();

  get size(): number {
    return this.#held.size;
  }

  /** Waits for `release()`, or for the end of `signal`. */
  async wait(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const letGo = (): void => {
      resolve(undefined);
    };
    this.#held.add(letGo);
    signal.addEventListener("abort", letGo, { once: true });
    try {
      await promise;
      signal.throwIfAborted();
    } finally {
      this.#held.delete(letGo);
      signal.removeEventListener("abort", letGo);
    }
  }

  /** Releases the oldest `count` held answers, or all. */
  release(count = Infinity): void {
    for (const letGo of [...this.#held].slice(0, count)) {
      this.#held.delete(letGo);
      letGo();
    }
  }
}
