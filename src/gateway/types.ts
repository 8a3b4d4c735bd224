import type { GatewayError } from "./errors.ts";

/** The two entries of the gateway: `{base_url}/v1` and `{backup_base_url}/v1`. */
export type EntryName = "primary" | "backup";

/** The groups a key can belong to. */
export type KeyGroup = "codex" | "image";

/** A call of a function offered in `ChatRequest.tools`. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** One message of a conversation. */
export type ChatMessage =
  | { readonly role: "system" | "user"; readonly content: string }
  | { readonly role: "assistant"; readonly content: string; readonly toolCalls?: readonly ToolCall[] }
  | { readonly role: "tool"; readonly toolCallId: string; readonly content: string };

/** A function the model may call. `inputSchema` is a JSON Schema. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema?: object | undefined;
}

/** The APIs that answer a question: `/v1/chat/completions` and `/v1/responses`. */
export type TextApi = "chatCompletions" | "responses";

/** A question to a text model. `tools` is not documented by the interface: see `toolCalling` in `GatewaySettings`. */
export interface ChatRequest {
  /** Default `chatCompletions`. */
  readonly api?: TextApi;
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly Tool[];
  /** `required`: the answer must be a tool call. Default `auto`. */
  readonly toolChoice?: "auto" | "required";
}

/** Why an answer ended. `length` and `contentFilter` mean that it is not whole. */
export type FinishReason = "stop" | "length" | "contentFilter" | "toolCalls";

/** Tokens of one operation, as the gateway counted them. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly totalTokens: number;
}

/**
 * One part of an answer, in the order of arrival: `start` once before all others, `finish` once as the last.
 * `start.dropped` names undocumented request fields that the gateway refuses and that were left out.
 */
export type AnswerPart =
  | {
      readonly type: "start";
      readonly entry: EntryName;
      readonly requestId?: string | undefined;
      readonly dropped: readonly string[];
    }
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "reasoning"; readonly text: string }
  | ({ readonly type: "toolCall" } & ToolCall)
  | ({ readonly type: "usage" } & Usage)
  | { readonly type: "finish"; readonly reason: FinishReason };

/** An order for images. `size` is `<width>x<height>`; without it the service chooses. */
export interface ImageRequest {
  readonly prompt: string;
  readonly size?: string | undefined;
}

/** Where the bytes of a generated image are: behind a link, or inline where a gateway sends them so. */
export type ImageSource = { readonly url: string } | { readonly bytes: Uint8Array };

/** What an image order brought: at least one image. */
export interface ImageAnswer {
  readonly images: readonly ImageSource[];
  readonly usage: Usage | undefined;
  readonly entry: EntryName;
  readonly requestId: string | undefined;
}

/** The exact bytes of an image file and the type they prove. */
export interface ImageFile {
  readonly bytes: Uint8Array;
  readonly type: "png" | "jpeg" | "webp";
}

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
  /** The gateway has counted the tokens of an answer. */
  onUsage?(usage: Usage): void;
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
