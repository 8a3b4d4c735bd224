import { GatewayError, type GatewayErrorKind } from "../errors.ts";
import { TransportError } from "./exchange.ts";

/** Certificates whose issuer is unknown here; the system's store may know it. */
const unknownIssuer: ReadonlySet<string> = new Set([
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "CERT_UNTRUSTED",
]);

const nameNotResolved: ReadonlySet<string> = new Set(["ENOTFOUND", "EAI_AGAIN"]);

/** Codes of Node's and undici's errors, and the kinds they mean. Those not listed follow from whether anything was sent. */
const kinds: Readonly<Record<string, GatewayErrorKind>> = {
  ERR_TLS_CERT_ALTNAME_INVALID: "untrusted",
  CERT_HAS_EXPIRED: "untrusted",
  CERT_NOT_YET_VALID: "untrusted",
  CERT_REVOKED: "untrusted",
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
  HTTPParserError: "badGateway",
};

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
  return error instanceof TransportError && unknownIssuer.has(transportCode(error) ?? "");
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
  if (unknownIssuer.has(code)) return "untrusted";
  return kinds[code] ?? (sent === "no" ? "unreachable" : "connectionLost");
}
