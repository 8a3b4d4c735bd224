import type { EntryName, KeyGroup } from "../../../src/gateway/types.ts";
import type { Conversation } from "./conversation.ts";
import type { Reply } from "./reply.ts";

/** What an entry can be asked for. */
export type Operation = "chat" | "responses" | "image" | "models";

/** Forms of an error body. The interface shows none, so a client has to read them all. */
export type ErrorShape = "openai" | "flat" | "text" | "detail" | "plain" | "html";

/**
 * Ways in which an answer breaks. Without headers: `closed`, `reset`, `silent` (never answers). With status 200:
 * `empty`, `html`, `jsonError`, and, in mid-answer, `cut` (socket destroyed), `unfinished` (clean end without the finish
 * marker, or half of the JSON), `errorEvent` (JSON: like `jsonError`), `stalled` (no more bytes, socket open).
 */
export type BrokenAnswer =
  "closed" | "reset" | "silent" | "empty" | "html" | "jsonError" | "cut" | "unfinished" | "errorEvent" | "stalled";

/** Answers to an image order that are well-formed and still differ from the usual one. */
export type ImageVariant = "noData" | "emptyData" | "noUrl" | "inline" | "several";

/** What becomes of a request instead of the usual answer: set `status`, `broken` or `image`. */
export interface Fault {
  /** Which requests it is for. Default: any of the three operations, so a probe of the model list uses none up. */
  readonly operation?: Operation | "any";
  /** Answers with this status; 502, 504, 520 to 527 and 530 as HTML pages unless `shape` is set. */
  readonly status?: number;
  readonly code?: string;
  readonly message?: string;
  readonly shape?: ErrorShape;
  /** The exact body instead of one made from `shape`. */
  readonly body?: string;
  /** Value of the `Retry-After` header. */
  readonly retryAfter?: number | string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly broken?: BrokenAnswer;
  /** For `cut`, `unfinished`, `errorEvent`, `stalled` in a stream: how many pieces of content go out before. Default 3. */
  readonly after?: number;
  readonly image?: ImageVariant;
}

/** How an entry behaves until it is told otherwise. */
export interface Modes {
  /** Refuses every field that the interface does not show with 400, and has no model list. */
  readonly strict: boolean;
  /** Top-level request fields refused with 400, such as `tools`, `stream`, `stream_options`. */
  readonly refuses: readonly string[];
  readonly errorShape: ErrorShape | "rotate";
  /** Sends `x-request-id`. */
  readonly requestId: boolean;
  readonly modelList: boolean;
  /** Groups without permission: 403. */
  readonly forbidden: readonly KeyGroup[];
  /** `false`: image orders fail with `model_not_found`. */
  readonly imageAccountBound: boolean;
  /** Status of `model_not_found`, which the interface does not state. */
  readonly modelNotFoundStatus: number;
  /** Image sizes the upstream supports. */
  readonly sizes: readonly string[];
  /** Answers in JSON although a stream was asked for. */
  readonly ignoresStream: boolean;
  /** Sends reasoning before the answer. */
  readonly reasoning: boolean;
  /** Counts tokens in text answers. */
  readonly usage: boolean;
  /** Why text answers end. `length` cuts the text in half. */
  readonly finish: "stop" | "length" | "content_filter";
  /** Milliseconds before the headers. */
  readonly headerDelay: number;
  /** Milliseconds between the pieces of a stream. */
  readonly chunkDelay: number;
  /** Pieces a streamed text is split into; 0: word by word. */
  readonly chunks: number;
  /** Holds answers of models until `release()`: before the headers, or in the middle of the answer. */
  readonly hold: "no" | "beforeHeaders" | "midAnswer";
}

/** What becomes of the download of an image file. */
export interface ImageHostFault {
  readonly status?: number;
  readonly broken?: "closed" | "silent" | "empty" | "html" | "cut" | "stalled";
  /** A tiny valid file of another type, at the same address. */
  readonly type?: "jpeg" | "webp";
}

/** How the image host behaves until it is told otherwise. */
export interface ImageHostModes {
  /** Redirects between the link and the file. Default 1. */
  readonly redirects: number | "loop";
  /** Where the first redirect leads instead; empty: to the file. */
  readonly redirectTo: string;
  /** Milliseconds before the headers. */
  readonly delay: number;
  /** Milliseconds between the pieces of a file. */
  readonly chunkDelay: number;
}

/** A request that arrived. Times are milliseconds since the epoch. It goes on changing until its answer ends. */
export interface RecordedRequest {
  readonly entry: EntryName | "imageHost";
  readonly operation?: Operation | undefined;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed JSON, or the text where it is none. */
  readonly body?: unknown;
  readonly at: number;
  /** Number of the connection it came on. */
  readonly connection: number;
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  /** When the whole answer was sent. */
  readonly ended?: number | undefined;
  /** When the client closed the connection before the answer ended. */
  readonly closed?: number | undefined;
  /** Whether an answer was made, or may have been, behind a fault; for an image order that means: it was charged. */
  readonly processed: boolean;
}

/** Faults and modes of one server. */
export interface Script<F, M> {
  /** The next `count` requests meet this fault. Calls queue up. */
  next(count: number, fault: F): void;
  /** Every request meets this fault once the queue is empty; `undefined` ends it. */
  always(fault: F | undefined): void;
  mode(modes: Partial<M>): void;
}

/** What the local gateway is started with. */
export interface GatewayStart {
  /** Ports to listen on; a busy one moves on to the next free one. Default: any free port. */
  readonly ports?: Partial<Readonly<Record<"primary" | "backup" | "imageHost" | "control", number>>>;
  readonly modes?: Partial<Modes>;
  /** What the model says. */
  readonly reply?: (conversation: Conversation) => Reply;
}
