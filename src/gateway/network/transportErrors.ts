import { GatewayError, type GatewayErrorKind } from "../errors.ts";
import { isCertificateCode, isUnknownIssuerCode } from "./certificateCodes.ts";
import { TransportError } from "./exchange.ts";

const nameNotResolved: ReadonlySet<string> = new Set(["ENOTFOUND", "EAI_AGAIN"]);

/** Codes of Node's and undici's errors, and the kinds they mean. Those not listed follow from whether anything was sent. */
const kinds: Readonly<Record<string, GatewayErrorKind>> = {
  ERR_SSL_WRONG_VERSION_NUMBER: "notHttps",
  ERR_SSL_PACKET_LENGTH_TOO_LONG: "notHttps",
  // undici's code for a proxy's refusal too; a cancel never comes here.
  UND_ERR_ABORTED: "proxyRefused",
  // A proxy that asks for credentials, or a proxy URL that is of no use.
  UND_ERR_INVALID_ARG: "proxyRefused",
  UND_ERR_PRX_TLS: "proxyRefused",
  UND_ERR_PRX_CONN: "proxyRefused",
  UND_ERR_SOCKS5: "proxyRefused",
  UND_ERR_HEADERS_TIMEOUT: "timeout",
  UND_ERR_BODY_TIMEOUT: "timeout",
  UND_ERR_HEADERS_OVERFLOW: "rejected",
  // Parsers of Node and undici; their other codes (HPE_*) stand for garbage.
  HPE_HEADER_OVERFLOW: "rejected",
  HPE_INVALID_EOF_STATE: "connectionLost",
  HPE_CLOSED_CONNECTION: "connectionLost",
  // undici does not tell lengths that contradict each other from a body that ends before its length.
  HPE_UNEXPECTED_CONTENT_LENGTH: "connectionLost",
  HTTPParserError: "badGateway",
};

/** Failures to connect that another proxy, or none, may spare; the rest would meet every road, or pass. */
const otherRoad: ReadonlySet<string> = new Set([
  "ENOTFOUND",
  "ENODATA",
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENETDOWN",
  "EADDRNOTAVAIL",
  "ETIMEDOUT",
  "UND_ERR_CONNECT_TIMEOUT",
  "EAI_AGAIN",
]);

/** What a failed exchange means. */
export function transportFailure(error: TransportError): GatewayError {
  const code = transportCode(error);
  const kind = kindOf(error, code);
  const message = error.isConnectTimeout ? "No connection in time." : `The connection failed: ${code ?? "no code"}.`;
  // What a proxy refuses, it has not passed on.
  return new GatewayError(kind, message, { cause: error, sent: kind === "proxyRefused" ? "no" : error.sent });
}

/** Whether trusting the system's certificates may help. */
export function isUnknownIssuer(error: unknown): boolean {
  return error instanceof TransportError && isUnknownIssuerCode(transportCode(error) ?? "");
}

/** Whether a connection that was not made may be made by way of another proxy. */
export function mayHaveOtherRoad(error: TransportError): boolean {
  const code = transportCode(error);
  return otherRoad.has(code ?? "") || kindOf(error, code) === "proxyRefused";
}

/** Whether such a failure may be over by the next request. */
export function isPassing(error: unknown): boolean {
  return error instanceof TransportError && transportCode(error) === "EAI_AGAIN";
}

/** Whether a failure says that a name has no address, which is what being offline looks like. */
export function isNameNotResolved({ cause }: GatewayError): boolean {
  return cause instanceof TransportError && nameNotResolved.has(transportCode(cause) ?? "");
}

/** The code of the deepest cause that has one: wrappers have codes of their own that say less. undici's parser has none. */
function transportCode({ cause }: TransportError): string | undefined {
  let code: string | undefined;
  for (let error = cause; error instanceof Error; error = error.cause) {
    if ("code" in error && typeof error.code === "string") code = error.code;
    else if (error.name === "HTTPParserError") code = error.name;
  }
  return code;
}

function kindOf({ sent }: TransportError, code: string | undefined): GatewayErrorKind {
  if (code === undefined) return sent === "no" ? "unreachable" : "connectionLost";
  if (isCertificateCode(code)) return "untrusted";
  return (
    kinds[code] ??
    (code.startsWith("HPE_") ? "badGateway" : undefined) ??
    (sent === "no" ? "unreachable" : "connectionLost")
  );
}
