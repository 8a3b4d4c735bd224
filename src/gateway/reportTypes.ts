import type { GatewayError } from "./errors.ts";
import type { Usage } from "./answerTypes.ts";
import type { ChatRequest, EntryName, KeyGroup, TextApi } from "./requestTypes.ts";

/** A progress event of a running operation. */
export interface WaitingEvent {
  /**
   * `thinking`: no data for a while, but the entry responds to a liveness check. `unresponsive`: it does not.
   * `retrying`: the next attempt starts after `delay` milliseconds.
   */
  readonly type: "thinking" | "unresponsive" | "retrying";
  readonly entry: EntryName;
  readonly delay?: number;
}

/** A report on a finished attempt, for the log. `status` is `undefined` without an answer. */
export interface AttemptReport {
  readonly operation: "chat" | "responses" | "image" | "imageFile";
  readonly entry: EntryName | undefined;
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  /** Duration of the attempt, in milliseconds. */
  readonly duration: number;
  /** The kind of failure, or `cancelled`; `undefined` for a success. */
  readonly failure: string | undefined;
  /** What was asked of an entry; `undefined` for an image file. */
  readonly topic?: RequestTopic;
  /** Whether an entry got the request, or may have. */
  readonly isSent?: boolean;
}

/** What a request to an entry is about. */
export interface RequestTopic {
  readonly entry: EntryName;
  readonly model: string;
  /** As in the request. */
  readonly feature: string | undefined;
}

/** What an answer used, as far as it came. */
export interface UseReport extends RequestTopic {
  /** As the gateway counts it; `undefined` if it doesn't, or if the answer did not come to its end. */
  readonly usage: Usage | undefined;
  /** The number of images. */
  readonly images: number;
  /** The question, without tools if these were left out. */
  readonly sent?: ChatRequest;
  /** The beginning of what was received, and the length of all of it, in characters. */
  readonly received?: { readonly beginning: string; readonly length: number };
}

/** One attempt to connect before a question. Also a debug line in the log. */
export interface PreconnectReport {
  readonly entry: EntryName;
  /** Milliseconds until the connection was open or failed. */
  readonly duration: number;
  /** The kind of failure; `undefined` for a success. */
  readonly failure: string | undefined;
}

/** The entry that begins to answer a question or has delivered images. */
export interface AnswerOrigin {
  readonly entry: EntryName;
  readonly what: "text" | "image";
  /** The API that answered a request that left the choice to the client, the model, and whether tools were sent. */
  readonly api?: TextApi;
  readonly model?: string;
  readonly hasTools?: boolean;
}

/** A model's limit, as the gateway names it when it refuses a prompt. Untrusted, but 1,000 to 100,000,000. */
export interface ModelLimit {
  readonly model: string;
  readonly tokenLimit: number;
  /** Whether the limit is for the context, which also holds the answer, or for the prompt alone. */
  readonly limits: "context" | "input";
}

/** The health of one entry. Times are in milliseconds since the epoch. */
export interface EntryHealth {
  readonly entry: EntryName;
  /** Whether requests may go there. */
  readonly isHealthy: boolean;
  /** Set while requests do not go there, and also, before that, while the last attempt failed. */
  readonly failingSince: number | undefined;
  readonly nextTry: number | undefined;
  /** Milliseconds from the last request to its response headers. */
  readonly lastLatency: number | undefined;
}

/** The result of testing one entry with one group's key. */
export interface ProbeResult {
  readonly entry: EntryName;
  readonly group: KeyGroup;
  readonly baseUrl: string;
  /** The proxy's host and port, and the setting or variable it comes from; `undefined` for a direct connection. */
  readonly proxy: { readonly address: string; readonly source: string } | undefined;
  /** Duration of the test, in milliseconds. */
  readonly duration: number;
  /** The failure; `undefined` if the key was accepted. */
  readonly failure: GatewayError | undefined;
}
