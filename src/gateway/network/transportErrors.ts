import { GatewayError, type GatewayErrorKind } from "../errors.ts";
import { ProxyError, TransportError } from "./exchange.ts";

const nameNotResolved: ReadonlySet<string> = new Set(["ENOTFOUND", "EAI_AGAIN"]);

/** The kinds of Node's and undici's error codes. For other codes, it depends on whether anything was sent. */
const kinds: Readonly<Record<string, GatewayErrorKind>> = {
  ERR_SSL_WRONG_VERSION_NUMBER: "notHttps",
  ERR_SSL_PACKET_LENGTH_TOO_LONG: "notHttps",
  // A proxy that requires credentials (407), or an unusable proxy URL (lib/dispatcher/proxy-agent.js, undici 8.12).
  UND_ERR_INVALID_ARG: "proxyRefused",
  UND_ERR_PRX_TLS: "proxyRefused",
  UND_ERR_SOCKS5: "proxyRefused",
  UND_ERR_HEADERS_TIMEOUT: "timeout",
  UND_ERR_BODY_TIMEOUT: "timeout",
  UND_ERR_HEADERS_OVERFLOW: "rejected",
  // Codes of llhttp, the parser of Node and undici. Its other codes (HPE_*) mean malformed data.
  HPE_HEADER_OVERFLOW: "rejected",
  HPE_INVALID_EOF_STATE: "connectionLost",
  HPE_CLOSED_CONNECTION: "connectionLost",
  // Conflicting lengths and a body that ends too early have the same code (undici 8.12).
  HPE_UNEXPECTED_CONTENT_LENGTH: "connectionLost",
  HTTPParserError: "badGateway",
};

/** Codes for an unknown issuer, which the system's store may know. */
const unknownIssuer: ReadonlySet<string> = new Set([
  ...["DEPTH_ZERO_SELF_SIGNED_CERT", "SELF_SIGNED_CERT_IN_CHAIN", "UNABLE_TO_GET_ISSUER_CERT", "CERT_UNTRUSTED"],
  ...["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "UNABLE_TO_VERIFY_LEAF_SIGNATURE"],
]);

/**
 * Certificate errors before anything is sent. Node gives those of OpenSSL's verification their own names, without a prefix
 * (X509_V_ERR_* in openssl-verification-options; `UNSPECIFIED` for those without a name in Node 24). All other codes have
 * one, or are a single word.
 */
const verification = /^(?:UNSPECIFIED$|(?!ERR_|UND_|HPE_|EAI_|ABORT_|Z_)[A-Z]+_[A-Z_]+$)/;

/** TLS alerts about certificates, including those that come after the request. */
const alert =
  /^ERR_(?:TLS_CERT_|(?:SSL|OSSL)_\w*(?:CERT|UNKNOWN_CA|_KEY_TOO_SMALL|_MD_TOO_WEAK|_DIGEST_TOO_WEAK|BAD_SIGNATURE))/;

/** Connection failures that another proxy, or none, may avoid. */
const retriedOnFallback: ReadonlySet<string> = new Set([
  ...["ENOTFOUND", "ENODATA", "EAI_AGAIN", "ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH", "ENETDOWN"],
  ...["EADDRNOTAVAIL", "ETIMEDOUT", "UND_ERR_CONNECT_TIMEOUT"],
]);

/** Converts a transport failure to a `GatewayError`. */
export function transportFailure(error: TransportError): GatewayError {
  const code = transportCode(error);
  const kind = kindOf(error, code);
  const message = error.isConnectTimeout ? "No connection in time." : `The connection failed: ${code ?? "no code"}.`;
  // A request that a proxy refused was not forwarded.
  const sent = kind === "proxyRefused" ? "no" : error.sent;
  const proxy = error.cause instanceof ProxyError ? error.cause.proxy : undefined;
  return new GatewayError(kind, message, { cause: error, sent, proxy });
}

/** Whether trusting the system's certificates may help. */
export function isUnknownIssuer(error: unknown): boolean {
  return error instanceof TransportError && unknownIssuer.has(transportCode(error) ?? "");
}

/** Whether another proxy may succeed where this connection failed. */
export function mayConnectOtherwise(error: TransportError): boolean {
  const code = transportCode(error);
  return retriedOnFallback.has(code ?? "") || kindOf(error, code) === "proxyRefused";
}

/** Whether a host name could not be resolved, as when offline. */
export function isNameNotResolved(error: unknown): boolean {
  const failure = error instanceof GatewayError ? error.cause : error;
  return failure instanceof TransportError && nameNotResolved.has(transportCode(failure) ?? "");
}

/** The code of the innermost cause that has one. undici's `HTTPParserError` may have none (8.12). */
function transportCode({ cause }: TransportError): string | undefined {
  let code: string | undefined;
  for (let error = cause; error instanceof Error; error = error.cause) {
    if ("code" in error && typeof error.code === "string")
      code = wrongVersion.test(error.message.slice(0, 500)) ? "ERR_SSL_WRONG_VERSION_NUMBER" : error.code;
    else if (error.name === "HTTPParserError") code = error.name;
  }
  return code;
}

/** With Node's https, only the message of an EPROTO shows that the server does not use TLS (Node 24). */
const wrongVersion = /:(?:wrong version number|packet length too long|http request):/;

function kindOf({ sent, cause, isConnectTimeout }: TransportError, code = ""): GatewayErrorKind {
  if (alert.test(code) || (sent === "no" && verification.test(code))) return "untrusted";
  const known = kinds[code] ?? (code.startsWith("HPE_") ? "badGateway" : undefined);
  if (sent === "maybe") return known ?? "connectionLost";
  const isProxyReached = cause instanceof ProxyError && !isConnectTimeout && !retriedOnFallback.has(code);
  if (isProxyReached) return "proxyRefused";
  // Nothing was sent, so what arrived is not an answer.
  return known === undefined || aboutAnswers.has(known) ? "unreachable" : known;
}

const aboutAnswers: ReadonlySet<GatewayErrorKind> = new Set(["timeout", "connectionLost", "badGateway", "rejected"]);
