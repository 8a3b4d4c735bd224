import type { JsonObject } from "../base/json.ts";
import type { EntryName, KeyGroup, ReasoningEffort } from "./models.ts";

export type { EntryName, KeyGroup };

/** A call of a tool in `ChatRequest.tools`. `input` matches the tool's JSON Schema only if the model complies. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** An image in a message. `mimeType`: `image/png`, `image/jpeg`, `image/gif`, or `image/webp`. */
export interface ChatImage {
  readonly mimeType: string;
  readonly bytes: Uint8Array;
}

/**
 * The output of one answer through the Responses API, with the reasoning that the model wants back while it calls tools.
 * Opaque, JSON, and bound to an entry and a model: other entries and models are not sent it.
 */
export interface AnswerItems {
  readonly entry: EntryName;
  readonly model: string;
  readonly items: readonly JsonObject[];
}

/** One message of a conversation. */
export type ChatMessage =
  | { readonly role: "system"; readonly content: string }
  | { readonly role: "user"; readonly content: string; readonly images?: readonly ChatImage[] }
  | {
      readonly role: "assistant";
      readonly content: string;
      readonly toolCalls?: readonly ToolCall[];
      readonly items?: AnswerItems | undefined;
    }
  | {
      readonly role: "tool";
      readonly toolCallId: string;
      readonly content: string;
      readonly images?: readonly ChatImage[];
    };

/** A tool that the model may call. `inputSchema` is a JSON Schema; without it the tool takes no arguments. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema?: object | undefined;
}

/** The APIs for text: `/v1/chat/completions` and `/v1/responses`. */
export type TextApi = "chatCompletions" | "responses";

/** A request to a text model. The gateway's interface does not document `tools`; see `toolCalling` in `GatewaySettings`. */
export interface ChatRequest {
  /**
   * Default `auto`: Chat Completions, or the Responses API if the gateway refuses that. With tools, the Responses API comes
   * first for ten minutes after an entry has answered there, and with `responsesFirst` before that, too, because only it
   * returns the model's reasoning from one tool call to the next.
   */
  readonly api?: TextApi | "auto" | "responsesFirst";
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly Tool[];
  /** `required`: the answer must contain a tool call. Default `auto`. */
  readonly toolChoice?: "auto" | "required";
  /** How much the model reasons; not documented either. Without it nothing is sent, and the model chooses. */
  readonly reasoningEffort?: ReasoningEffort | undefined;
  /**
   * Names the conversation, or the file of a completion: the same for all its requests, so that prompt caches are found
   * again. May be any text, because only a salted hash of it is sent.
   */
  readonly conversation?: string | undefined;
  /** What it is for. Not sent; reports hand it back. */
  readonly feature?: string | undefined;
  /** `one`: no retry or failover, but a repetition without an undocumented field that was refused. Default `several`. */
  readonly attempts?: "one" | "several";
  /** Whether it runs in the background, so that a missing key must not lead to a question. Default `false`. */
  readonly isAutomatic?: boolean;
}

/** An image order. `size` is `<width>x<height>` in pixels; without it the gateway chooses. */
export interface ImageRequest {
  readonly prompt: string;
  readonly size?: string | undefined;
  /** What it is for. Not sent; reports hand it back. */
  readonly feature?: string | undefined;
}

/** Why an answer ended. `length` (the model reached its output limit) and `contentFilter` mean that it is truncated. */
export type FinishReason = "stop" | "length" | "contentFilter" | "toolCalls";

/** Token counts of one operation, as reported by the gateway. */
export interface Usage {
  readonly inputTokens: number;
  /** The part of the input that came from a prompt cache, 0 to `inputTokens`; missing if unknown. */
  readonly cachedTokens?: number;
  readonly outputTokens: number;
  readonly totalTokens: number;
}

/**
 * A part of an answer, in order of arrival: `start` once, before all others; `finish` once, at the end. `start.dropped`
 * names the undocumented request fields, and `images`, that were omitted because the gateway or the settings reject them.
 * `start.api` is set if the client chose the API. Tool calls are complete, with parsed input. `items`, at most once, is for
 * the next request with the results of the tool calls.
 */
export type AnswerPart =
  | {
      readonly type: "start";
      readonly entry: EntryName;
      readonly requestId?: string | undefined;
      readonly dropped: readonly string[];
      readonly api?: TextApi;
    }
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "reasoning"; readonly text: string }
  | ({ readonly type: "toolCall" } & ToolCall)
  | { readonly type: "items"; readonly items: AnswerItems }
  | ({ readonly type: "usage" } & Usage)
  | { readonly type: "finish"; readonly reason: FinishReason };

/** The source of a generated image: a link or, if the gateway sends it inline, the bytes. */
export type ImageSource = { readonly url: string } | { readonly bytes: Uint8Array };

/** The result of an image order, with at least one image. */
export interface ImageAnswer {
  readonly images: readonly ImageSource[];
  readonly usage: Usage | undefined;
  readonly entry: EntryName;
  readonly requestId: string | undefined;
}

/** The exact bytes of an image file, and the type that they prove. */
export interface ImageFile {
  readonly bytes: Uint8Array;
  readonly type: "png" | "jpeg" | "webp";
}

/** A progress event of a running operation. */
export interface WaitingEvent {
  /** A silent entry is `thinking` if it responds to a check, else `unresponsive`. `delay`: milliseconds. */
  readonly type: "thinking" | "unresponsive" | "retrying";
  readonly entry: EntryName;
  readonly delay?: number;
}

/** Called with the progress of an operation. */
export type Observe = (event: WaitingEvent) => void;

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
  /** The finish reason of a whole answer, if it is unknown. Untrusted text. */
  readonly unknownReason?: string | undefined;
  /** `undefined` for an image file. */
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

/** The usage of an answer that is over, however it ended, or of delivered images. */
export interface UseReport extends RequestTopic {
  /** As the gateway counts it; `undefined` if it doesn't, or if the answer did not finish. */
  readonly usage: Usage | undefined;
  readonly images: number;
  /** The request, without tools if these were omitted. */
  readonly sent?: ChatRequest;
  /** The beginning of what was received, and the length of all of it, in characters. */
  readonly received?: { readonly beginning: string; readonly length: number };
}

/** A preconnect that is over. */
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
  /** If the client chose the API: the API, the model, and whether tools were sent. */
  readonly api?: TextApi;
  readonly model?: string;
  readonly hasTools?: boolean;
}

/** A model's limit, as the gateway names it when it refuses a prompt. Untrusted, but 4,000 to 100,000,000. */
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
  /** Set from the first failure until the entry has recovered. */
  readonly failingSince: number | undefined;
  readonly nextTry: number | undefined;
  /** Milliseconds from the last request to its response headers. */
  readonly lastLatency: number | undefined;
}

/**
 * Events for the client's host. `send`: a request begins to go out, including retries, but not liveness checks. `omitted`:
 * an answer begins without undocumented fields that the gateway rejects. `health`: of both entries, after an attempt.
 */
export type GatewayEvent =
  | { readonly type: "send"; readonly topic: RequestTopic }
  | ({ readonly type: "attempt" } & AttemptReport)
  | ({ readonly type: "answer" } & AnswerOrigin)
  | { readonly type: "omitted"; readonly model: string; readonly fields: readonly string[] }
  | ({ readonly type: "use" } & UseReport)
  | { readonly type: "health"; readonly health: readonly EntryHealth[] }
  | ({ readonly type: "tokenLimit" } & ModelLimit)
  | ({ readonly type: "preconnect" } & PreconnectReport);

/** The result of testing one entry with one group's key. */
export interface ProbeResult {
  readonly entry: EntryName;
  readonly group: KeyGroup;
  readonly baseUrl: string;
  /** The proxy's host and port, and the setting or variable it comes from; `undefined` for a direct connection. */
  readonly proxy: { readonly address: string; readonly source: string } | undefined;
  /** Duration of the test, in milliseconds. */
  readonly duration: number;
  /** A `GatewayError`, or what the host threw in place of the key; `undefined` if the key was accepted. */
  readonly failure: Error | undefined;
}

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

/** The purpose of a key. */
export interface KeyUse {
  readonly isAutomatic?: boolean | undefined;
  readonly refused?: string | undefined;
  /** Aborts when the key is no longer needed. */
  readonly signal?: AbortSignal | undefined;
}

/** What the client needs from its host. */
export interface GatewayOptions {
  /** A random text of this installation, so that hashes of conversations reveal nothing. */
  readonly salt?: string;
  /** Returns the current settings. */
  settings(): GatewaySettings;
  /**
   * Returns the key of a group to send to `origin` (scheme, host and port of an entry), or `undefined` if none is set.
   * If it throws a `GatewayError` of kind `keyNotAllowed`, the other entry is tried. `isAutomatic`: the request
   * runs in the background, so the user must not be asked anything. `refused`: the key that the entry has refused; if
   * another one is returned, the request is repeated once.
   */
  key(group: KeyGroup, origin: string, use?: KeyUse): Promise<string | undefined>;
  /** Called with everything that happens, for the log, the status and the counts. Must not throw. */
  onEvent?(event: GatewayEvent): void;
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
  ask(request: ChatRequest, signal: AbortSignal, observe?: Observe): AsyncIterable<AnswerPart>;
  /**
   * Orders images through `/v1/images/generations`, with the image group's key. Orders are charged, so one that may
   * have been processed is never repeated, except after one error 500. Throws `mayBeCharged` if the outcome is unknown.
   */
  generateImage(request: ImageRequest, signal: AbortSignal, observe?: Observe): Promise<ImageAnswer>;
  /**
   * Downloads the exact bytes of an image (at most 64 MiB) from the image host, without any key; two downloads
   * run at a time, not counting those that take longer than ten seconds. Throws `linkForbidden`, `linkExpired`, `tooLarge`,
   * `notAnImage` or `downloadFailed`.
   */
  downloadImage(url: string, signal: AbortSignal): Promise<ImageFile>;
  /**
   * Tests every configured entry with every group's key, concurrently, for at most 25 seconds each. Asks `model` for
   * one tiny completion per entry, through `api`, by default `auto`; images cost nothing. Failures are results, not
   * errors. `feature` is for reports.
   */
  probe(model: string, signal: AbortSignal, api?: TextApi | "auto", feature?: string): Promise<readonly ProbeResult[]>;
  /**
   * Connects to the entry that would serve a request to `model` now. Sends nothing, reads no key, connects at most once
   * in 20 s, and not if a connection is open. The next request uses the connection, or it closes when idle. Never throws;
   * failures do not count.
   *
   * An image order always opens a new connection, because one that is lost on an idle connection may have been charged.
   */
  preconnect(model?: string): void;
  /** Closes all connections. Running operations end with a `GatewayError`. */
  dispose(): Promise<void>;
}
