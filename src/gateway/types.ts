import type { AnswerPart, ImageAnswer, ImageFile, Usage } from "./answerTypes.ts";
import type { AnswerOrigin, AttemptReport, EntryHealth, Finding, WaitingEvent } from "./reportTypes.ts";
import type { ChatRequest, ImageRequest, KeyGroup } from "./requestTypes.ts";

export type * from "./answerTypes.ts";
export type * from "./reportTypes.ts";
export type * from "./requestTypes.ts";

/** Where a proxy is taken from, as VS Code knows it. */
export interface ProxySettings {
  /** `http.proxy`, or empty. */
  readonly url: string;
  /** `http.noProxy`; where not empty it replaces NO_PROXY. */
  readonly noProxy: readonly string[];
  /** `http.proxyStrictSSL` applies to the proxy's own certificate only. */
  readonly strictSsl: boolean;
  /** `http.proxyAuthorization`, or empty. */
  readonly authorization: string;
}

/** What the client reads anew at the start of every operation. */
export interface GatewaySettings {
  readonly baseUrl: string;
  readonly backupBaseUrl: string;
  /** Plain http beyond loopback. */
  readonly allowInsecureHttp: boolean;
  /** `off`: only documented fields. */
  readonly streaming: "auto" | "off";
  /** `off`: only documented fields. */
  readonly toolCalling: "auto" | "off";
  readonly proxy: ProxySettings;
  /** An extra PEM file with certificates to trust, or empty. */
  readonly certificateFile: string;
}

/** What the client needs from its owner. */
export interface GatewayOptions {
  settings(): GatewaySettings;
  /**
   * The key of a group, to be sent to `origin` (scheme, host and port of an entry); `undefined` where none is set. May
   * throw a `GatewayError` of kind `keyNotAllowed`: the other entry is asked then.
   */
  key(group: KeyGroup, origin: string): Promise<string | undefined>;
  onAttempt?(report: AttemptReport): void;
  onHealth?(health: readonly EntryHealth[]): void;
  onAnswer?(origin: AnswerOrigin): void;
  /** The gateway has reported the tokens of an answer. `sent` is the question, without tools if these were left out. */
  onUsage?(usage: Usage, sent?: ChatRequest): void;
}

/** The client's door. Every operation throws `GatewayError`, or the reason of `signal` when that is aborted. */
export interface Gateway {
  /** Asks a text model through the API that the request names. */
  ask(request: ChatRequest, signal: AbortSignal, observe?: (event: WaitingEvent) => void): AsyncIterable<AnswerPart>;
  /** Orders images through `/v1/images/generations`, with the image group's key. Paid: never repeated once it may have been processed. */
  generateImage(
    request: ImageRequest,
    signal: AbortSignal,
    observe?: (event: WaitingEvent) => void,
  ): Promise<ImageAnswer>;
  /** Fetches an image file from the image host, without any key. */
  downloadImage(url: string, signal: AbortSignal): Promise<ImageFile>;
  /**
   * Tries every configured entry with the key of every group, all at the same time. `model` is asked for one tiny
   * completion per entry; images cost nothing. Takes at most half a minute.
   */
  probe(model: string, signal: AbortSignal): Promise<readonly Finding[]>;
  /** Closes all connections. */
  dispose(): Promise<void>;
}
