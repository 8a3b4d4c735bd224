import type { EntryName } from "../../../src/gateway/types.ts";
import type { Conversation } from "./conversation.ts";
import type { Reply } from "./reply.ts";

/** The operations of an entry. */
export type Operation = "chat" | "responses" | "image";

/** How an answer breaks. Without headers: `closed`. With status 200 and midway: `cut` (socket destroyed). */
type BrokenAnswer = "closed" | "cut";

/** The response to a request instead of the usual one: set `status`, `broken` or `image`. */
export interface Fault {
  /** The operation it applies to. Default: any of the three. */
  readonly operation?: Operation;
  /** Answers with this status; 502, 504, 520 to 527 and 530 as HTML pages. */
  readonly status?: number;
  readonly code?: string;
  readonly message?: string;
  /** The exact body, in place of one made from the above. */
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly broken?: BrokenAnswer;
  /** For `cut` in a stream: the number of pieces sent first. Default 0. */
  readonly after?: number;
  /** `several`: three images instead of one. */
  readonly image?: "several";
}

/** The behavior of an entry until it is changed. */
export interface Modes {
  /** Rejects every field that the gateway's interface does not show with 400. */
  readonly strict: boolean;
  /** Whether only responses serve the models: chat completions fail as in the field. */
  readonly responsesOnly: "none" | "all";
  /** Top-level request fields to reject with 400, such as `tools`, `stream`, `stream_options`. */
  readonly refuses: readonly string[];
  /** Image sizes the upstream supports. */
  readonly sizes: readonly string[];
  /** Counts tokens in text answers. */
  readonly usage: boolean;
  /** Why text answers end. `length` cuts the text in half. */
  readonly finish: "stop" | "length" | "content_filter";
  /** Milliseconds between the pieces of a stream. */
  readonly chunkDelay: number;
  /** Holds answers until `release()`: before the headers, or midway. */
  readonly hold: "no" | "beforeHeaders" | "midAnswer";
}

/** A received request. Times are milliseconds since the epoch. It changes until its answer ends. */
export interface RecordedRequest {
  readonly entry: EntryName | "imageHost";
  readonly operation?: Operation | undefined;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed JSON, or the text if it is no JSON. */
  readonly body?: unknown;
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  /** When the whole answer was sent. */
  readonly ended?: number | undefined;
  /** When the client closed the connection before the answer ended. */
  readonly closed?: number | undefined;
  /** Whether the request was, or may have been, processed despite a fault. Image orders are then charged. */
  readonly processed: boolean;
}

/** Options of the local gateway. */
export interface GatewayStart {
  /** Ports to listen on. Default: any free port. */
  readonly ports?: Partial<Readonly<Record<"primary" | "backup" | "imageHost" | "control", number>>>;
  readonly modes?: Partial<Modes>;
  /** Generates the model's replies. */
  readonly reply?: (conversation: Conversation) => Reply;
}
