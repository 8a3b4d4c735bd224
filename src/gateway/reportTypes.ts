import type { GatewayError } from "./errors.ts";
import type { EntryName, KeyGroup } from "./requestTypes.ts";

/** News from a running operation, for progress displays. */
export interface WaitingEvent {
  /**
   * `thinking`: no byte came for a while, but the entry is alive. `unresponsive`: nor does the entry answer anything else.
   * `retrying`: the next attempt starts after `delay` ms.
   */
  readonly type: "thinking" | "unresponsive" | "retrying";
  readonly entry: EntryName;
  readonly delay?: number;
}

/** Told about every attempt when it ends, for the log. `status` is absent where no answer came. */
export interface AttemptReport {
  readonly operation: "chat" | "responses" | "image" | "imageFile";
  readonly entry: EntryName | undefined;
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  /** Milliseconds from the start of the attempt to its end. */
  readonly duration: number;
  /** Kind of the failure, or `cancelled`; absent for a success. */
  readonly failure: string | undefined;
}

/** Where an answer comes from, told when an entry begins to answer a question or has delivered images. */
export interface AnswerOrigin {
  readonly entry: EntryName;
  readonly what: "text" | "image";
}

/** How one entry fares. Times are milliseconds since the epoch. */
export interface EntryHealth {
  readonly entry: EntryName;
  readonly isHealthy: boolean;
  readonly failingSince: number | undefined;
  readonly nextTry: number | undefined;
  /** Milliseconds from the request to the headers of the last answer. */
  readonly lastLatency: number | undefined;
}

/** What a test of the connection found out about one entry with the key of one group. */
export interface Finding {
  readonly entry: EntryName;
  readonly group: KeyGroup;
  readonly baseUrl: string;
  /** Host and port, and the setting or variable they were taken from; `undefined` for a direct connection. */
  readonly proxy: { readonly address: string; readonly source: string } | undefined;
  /** Milliseconds from the first packet to the end of the answer. */
  readonly duration: number;
  /** Why it does not work; absent where the key was accepted. */
  readonly failure: GatewayError | undefined;
}
