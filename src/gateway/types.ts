import type { AnswerPart, ImageAnswer, ImageFile, Usage } from "./answerTypes.ts";
import type {
  AnswerOrigin,
  AttemptReport,
  EntryHealth,
  ProbeResult,
  ModelLimit,
  PreconnectReport,
  RequestTopic,
  UseReport,
  WaitingEvent,
} from "./reportTypes.ts";
import type { ChatRequest, ImageRequest, KeyGroup, TextApi } from "./requestTypes.ts";

export type * from "./answerTypes.ts";
export type * from "./reportTypes.ts";
export type * from "./requestTypes.ts";

/** VS Code's proxy settings (section `http`). */
export interface ProxySettings {
  /** `http.proxy`: the proxy's URL, or empty. */
  readonly url: string;
  /** `http.noProxy`: hosts to reach directly. If not empty, it replaces NO_PROXY. */
  readonly noProxy: readonly string[];
  /** `http.proxyStrictSSL`. Applies only to the proxy's own certificate; the gateway's is always verified. */
  readonly strictSsl: boolean;
  /** `http.proxyAuthorization`: the value of the `Proxy-Authorization` header, or empty. */
  readonly authorization: string;
}

/** The client's settings, read at the start of every operation. */
export interface GatewaySettings {
  /** URL of the primary entry, as typed, with or without `/v1`; empty if not set. */
  readonly baseUrl: string;
  /** URL of the backup entry in the same form; empty for none. */
  readonly backupBaseUrl: string;
  /** Allows plain http beyond loopback. */
  readonly allowInsecureHttp: boolean;
  /** `auto`: streams unless an entry rejects it. `off`: sends only documented fields. */
  readonly streaming: "auto" | "off";
  /** `auto`: offers tools unless an entry rejects them. `off`: sends only documented fields. */
  readonly toolCalling: "auto" | "off";
  readonly proxy: ProxySettings;
  /** Path of an extra PEM file with certificates to trust, or empty. */
  readonly certificateFile: string;
}

/** Callbacks that the client needs from its owner. */
export interface GatewayOptions {
  /** Returns the current settings. */
  settings(): GatewaySettings;
  /**
   * Returns the key of a group to send to `origin` (scheme, host and port of an entry), or `undefined` if none is set.
   * If it throws a `GatewayError` of kind `keyNotAllowed`, the other entry is tried. `isUnasked`: the user did not ask
   * for the request, and should not be asked anything.
   */
  key(group: KeyGroup, origin: string, use?: { readonly isUnasked: boolean }): Promise<string | undefined>;
  /** Called when a request begins to go out to an entry, also for each repetition, but not for liveness checks. */
  onSend?(topic: RequestTopic): void;
  /** Called after every attempt, for the log. */
  onAttempt?(report: AttemptReport): void;
  /** Called when an answer that had begun is over, however it ended, and for every delivery of images. */
  onUse?(report: UseReport): void;
  /** Called with the health of both entries after every attempt that counts for it. */
  onHealth?(health: readonly EntryHealth[]): void;
  /** Called when an entry begins to answer a question or has delivered images. */
  onAnswer?(origin: AnswerOrigin): void;
  /** Called when the gateway refuses a prompt as too long and names the limit. */
  onTokenLimit?(limit: ModelLimit): void;
  /** Called when an answer starts for which undocumented fields were left out because the gateway rejects them. */
  onDropped?(model: string, fields: readonly string[]): void;
  /** The gateway has reported the tokens of an answer. `sent` is the question, without tools if these were left out. */
  onUsage?(usage: Usage, sent?: ChatRequest): void;
  /** `preconnect` has opened a connection, or failed to. */
  onPreconnect?(report: PreconnectReport): void;
}

/**
 * The client. Every operation throws `GatewayError`, or the reason of `signal` if that aborts. Configuration errors
 * (`noEntry`, `badUrl`, `noKey`, `keyNotAllowed`, `certificateFile`) are thrown before anything is sent.
 */
export interface Gateway {
  /**
   * Asks a text model through the API named in the request. Retries and fails over until the first part, never after
   * it: a later failure is `interrupted` or another final `GatewayError`. An answer counts as complete only with its
   * `finish` part. Leaving the loop early closes the connection.
   */
  ask(request: ChatRequest, signal: AbortSignal, observe?: (event: WaitingEvent) => void): AsyncIterable<AnswerPart>;
  /**
   * Orders images through `/v1/images/generations`, with the image group's key. Orders are charged, so one that may
   * have been processed is never repeated, except after one error 500. Throws `mayBeCharged` if the outcome is unknown.
   */
  generateImage(
    request: ImageRequest,
    signal: AbortSignal,
    observe?: (event: WaitingEvent) => void,
  ): Promise<ImageAnswer>;
  /**
   * Downloads the exact bytes of an image (at most 64 MiB) from the image host, without any key; two downloads
   * run at a time, besides those that take longer than ten seconds. Throws `linkForbidden`, `linkExpired`, `tooLarge`, `notAnImage` or `downloadFailed`.
   */
  downloadImage(url: string, signal: AbortSignal): Promise<ImageFile>;
  /**
   * Tests every configured entry with every group's key, concurrently, for at most 25 seconds each. Asks `model` for
   * one tiny completion per entry, through `api`, by default `auto`; images cost nothing. Failures are results, not
   * errors. `feature` is for reports.
   */
  probe(model: string, signal: AbortSignal, api?: TextApi | "auto", feature?: string): Promise<readonly ProbeResult[]>;
  /**
   * Connects to the entry that would serve a question to `model` now, because the user is about to ask one: sends
   * nothing, reads no key, at most once in 20 s, and not if a connection is open already. The next question uses the
   * connection; if none comes, it closes when idle. Never throws; failures are neither reported nor counted.
   *
   * An image order finds the client loaded, the certificates read and the host name resolved, but opens a connection of
   * its own: it is paid, and one that gets lost on a connection that has waited may have been charged.
   */
  preconnect(model?: string): void;
  /** Closes all connections. Running operations end with a `GatewayError`. */
  dispose(): Promise<void>;
}
