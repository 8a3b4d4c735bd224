import type { EntryName, KeyGroup } from "./models.ts";

/** The kinds of failures, from the error table of the gateway's interface and from the network. */
export type GatewayErrorKind =
  // Before anything is sent.
  | "noEntry" // no base URL is set
  | "badUrl" // a base URL is unusable; `flaw` says why
  | "noKey" // the key group has no key
  | "keyNotAllowed" // the key must not be sent to this entry; `refusal` says why
  | "certificateFile" // the extra certificate file cannot be read
  // No connection: nothing was sent.
  | "offline" // no entry's host name can be resolved
  | "unreachable" // DNS failure, refused, connect or TLS timeout
  | "untrusted" // the certificate is not trusted, or is for another name
  | "notHttps" // the server of an https URL speaks plain http, or that of an http URL only https
  | "proxyRefused" // the proxy refuses to connect
  // Sent, but no complete answer.
  | "timeout" // no answer, or no data for too long
  | "connectionLost" // closed or reset
  | "interrupted" // lost after parts were delivered
  // The gateway answered with an error.
  | "unauthorized" // 401
  | "forbidden" // 403
  | "notFound" // 404
  | "modelNotFound" // error code `model_not_found`, whatever its status
  | "contextTooLong" // 413, or an error about the length of the prompt, whatever its status
  | "filtered" // a content filter refused the request or stopped the answer, whatever the status
  | "rateLimited" // 429
  | "serverError" // 500
  | "overloaded" // 529, 503
  | "badGateway" // 502, 504, 520-527, 530, an HTML page: something in front of the gateway failed
  | "redirected" // a redirect in answer to a POST
  | "rejected" // any other status
  // The gateway answered, but the answer is unusable.
  | "empty"
  | "unreadable"
  | "noImage"
  | "mayBeCharged" // an image POST that may have been processed; `cause` says what happened
  // The image file.
  | "linkExpired" // 401, 403, 404 or 410 from the image host
  | "linkForbidden" // not http(s), or inside a private network
  | "downloadFailed"
  | "notAnImage"
  | "tooLarge";

/** Why a base URL is unusable. */
export type BaseUrlFlaw =
  | "tooLong"
  | "characters" // spaces, backslashes, or invisible characters
  | "notUrl"
  | "scheme"
  | "key" // it contains an API key
  | "credentials"
  | "query"
  | "insecure"; // plain http beyond this machine

/** Why a key was not sent to an origin: the user declined, or `CODEX_GATEWAY_ORIGINS` in the environment lists others. */
export interface KeyRefusal {
  readonly by: "user" | "environment";
  /** Scheme, host and port. */
  readonly origin: string;
}

/** Details of a failure. */
export interface GatewayErrorDetails {
  readonly cause?: unknown;
  readonly entry?: EntryName | undefined;
  /** The key group that was used or is needed. */
  readonly group?: KeyGroup | undefined;
  /** HTTP status; `undefined` without an answer. */
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  /** Whether the request may have reached the gateway. Default `no`. */
  readonly sent?: "no" | "maybe";
  /** Wait requested by the gateway, in milliseconds, up to a year. */
  readonly retryAfter?: number | undefined;
  /** The gateway's error message, at most 300 characters. Untrusted text. */
  readonly gatewayMessage?: string | undefined;
  /** The gateway's error code or type, at most 300 characters. Untrusted text. */
  readonly code?: string | undefined;
  /** The request field that the gateway rejects, if its answer names one. */
  readonly field?: string | undefined;
  /** The title of a web page received instead of an answer; empty if it has none. Untrusted text. */
  readonly page?: string | undefined;
  /** The model that was asked. */
  readonly model?: string | undefined;
  /** The model's limit in tokens, if the answer names one: 4,000 to 100,000,000. */
  readonly tokenLimit?: number | undefined;
  /** Whether `tokenLimit` is for the context, which also holds the answer, or for the prompt alone. */
  readonly limits?: "context" | "input" | undefined;
  /** What is wrong with a base URL. */
  readonly flaw?: BaseUrlFlaw | undefined;
  /** Why the key must not be used. */
  readonly refusal?: KeyRefusal | undefined;
  /** Host and port of the proxy that failed. */
  readonly proxy?: string | undefined;
  /** Earlier failed attempts of the operation, oldest first. */
  readonly attempts?: readonly GatewayError[];
}

/** `Error` with the details as properties of its own, which the constructor of `GatewayError` assigns. */
const DetailedError = Error as new (
  message: string,
  options?: ErrorOptions,
) => Error & Omit<GatewayErrorDetails, "cause" | "sent" | "attempts">;

/** The only error class of the client. Decide on `kind`, never on `message`. */
export class GatewayError extends DetailedError {
  override readonly name = "GatewayError";
  readonly kind: GatewayErrorKind;
  readonly sent: "no" | "maybe";
  readonly attempts: readonly GatewayError[];

  constructor(kind: GatewayErrorKind, message: string, details: GatewayErrorDetails = {}) {
    const { cause, sent = "no", attempts = [], ...known } = details;
    super(message, cause === undefined ? undefined : { cause });
    Object.assign(this, known);
    this.kind = kind;
    this.sent = sent;
    this.attempts = attempts;
  }
}

/** An answer that came but cannot be read. */
export function unreadable(message: string, details: Pick<GatewayErrorDetails, "cause" | "code"> = {}): GatewayError {
  return new GatewayError("unreadable", message, { sent: "maybe", ...details });
}

/** A copy of an error with more details, under another kind if that is given. */
export function withDetails(
  error: GatewayError,
  details: GatewayErrorDetails,
  { kind, message }: Pick<GatewayError, "kind" | "message"> = error,
): GatewayError {
  const { cause, ...known } = error;
  return new GatewayError(kind, message, { ...known, cause, ...details });
}
