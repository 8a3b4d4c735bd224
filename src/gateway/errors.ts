import type { EntryName, KeyGroup } from "./requestTypes.ts";

/**
 * Everything that can go wrong, as the policy and the notices distinguish it. Sources: the error table of the
 * gateway's interface, and what a network adds to it.
 */
export type GatewayErrorKind =
  // Before anything is sent.
  | "noEntry" // no base URL is set
  | "badUrl" // a base URL cannot be used; `flaw` says why
  | "noKey" // the key group has no key
  | "keyNotAllowed" // the key may not go to this entry; `refusal` says why
  | "certificateFile" // the extra certificate file cannot be read
  // No connection: nothing was sent.
  | "offline" // no entry's name can be resolved
  | "unreachable" // DNS, refused, connect or TLS timeout
  | "untrusted" // the certificate is not trusted, or is for another name
  | "notHttps" // an https address whose server speaks plain http
  | "proxyRefused" // the proxy refuses to connect
  // Sent, and no whole answer came.
  | "timeout" // no answer, or silence inside one
  | "connectionLost" // closed or reset
  | "interrupted" // broke off after parts were handed on
  // The gateway answered with an error.
  | "unauthorized" // 401
  | "forbidden" // 403
  | "notFound" // 404
  | "modelNotFound" // error code `model_not_found`, whatever its status
  | "rateLimited" // 429
  | "serverError" // 500
  | "overloaded" // 529, 503
  | "badGateway" // 502, 504, 520-527, 530, an HTML page: something in front of the gateway failed
  | "redirected" // a redirect in answer to a POST
  | "rejected" // any other status
  // The gateway answered, and the answer is of no use.
  | "empty"
  | "unreadable"
  | "noImage"
  | "mayBeCharged" // an image POST that may have been processed; `cause` says what happened
  // The image file.
  | "linkExpired" // 401, 403, 404 or 410 from the image host
  | "linkForbidden" // an address nobody should fetch: not http(s), or inside a private network
  | "downloadFailed"
  | "notAnImage"
  | "tooLarge";

/** Why a base URL cannot be used. */
export type BaseUrlFlaw =
  | "tooLong"
  | "characters" // spaces, backslashes, characters that nobody sees
  | "notUrl"
  | "scheme"
  | "key" // an API key stands in it
  | "credentials"
  | "query"
  | "insecure"; // plain http beyond this machine

/** Why a key did not go to an origin: the user did not allow it, or the environment names other origins. */
export interface KeyRefusal {
  readonly by: "user" | "environment";
  /** Scheme, host and port. */
  readonly origin: string;
}

/** What is known about a failure besides its kind. */
export interface GatewayErrorDetails {
  readonly cause?: unknown;
  readonly entry?: EntryName | undefined;
  /** The group of the key that was used, or is needed. */
  readonly group?: KeyGroup | undefined;
  /** HTTP status, where an answer came. */
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  /** Whether the request may have reached the gateway. Default `no`. */
  readonly sent?: "no" | "maybe";
  /** How long the gateway asks to wait, in milliseconds. */
  readonly retryAfter?: number | undefined;
  /** The gateway's own words about the error, bounded in length. Untrusted text. */
  readonly gatewayMessage?: string | undefined;
  /** The gateway's own code for the error, or its type; bounded in length. Untrusted text. */
  readonly code?: string | undefined;
  /** The request field the gateway refuses, where its answer names one. */
  readonly field?: string | undefined;
  /** The title of the web page that came instead of an answer; empty for a page without one. Untrusted text. */
  readonly page?: string | undefined;
  /** The model that was asked. */
  readonly model?: string | undefined;
  /** What is wrong with a base URL. */
  readonly flaw?: BaseUrlFlaw | undefined;
  /** Why a key may not be used. */
  readonly refusal?: KeyRefusal | undefined;
  /** Earlier failed attempts of the same operation, oldest first. */
  readonly attempts?: readonly GatewayError[];
}

/** The one error of the client. Decide on `kind`, never on `message`. */
export class GatewayError extends Error {
  override readonly name = "GatewayError";
  readonly kind: GatewayErrorKind;
  readonly entry: EntryName | undefined;
  readonly group: KeyGroup | undefined;
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  readonly sent: "no" | "maybe";
  readonly retryAfter: number | undefined;
  readonly gatewayMessage: string | undefined;
  readonly code: string | undefined;
  readonly field: string | undefined;
  readonly page: string | undefined;
  readonly model: string | undefined;
  readonly flaw: BaseUrlFlaw | undefined;
  readonly refusal: KeyRefusal | undefined;
  readonly attempts: readonly GatewayError[];

  constructor(kind: GatewayErrorKind, message: string, details: GatewayErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.kind = kind;
    this.entry = details.entry;
    this.group = details.group;
    this.status = details.status;
    this.requestId = details.requestId;
    this.sent = details.sent ?? "no";
    this.retryAfter = details.retryAfter;
    this.gatewayMessage = details.gatewayMessage;
    this.code = details.code;
    this.field = details.field;
    this.page = details.page;
    this.model = details.model;
    this.flaw = details.flaw;
    this.refusal = details.refusal;
    this.attempts = details.attempts ?? [];
  }
}

/** The same failure with more known about it. */
export function withDetails(error: GatewayError, details: GatewayErrorDetails): GatewayError {
  const { kind, message, cause, ...known } = error;
  return new GatewayError(kind, message, { ...known, cause, ...details });
}
