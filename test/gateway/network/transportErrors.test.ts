import assert from "node:assert/strict";
import { TransportError } from "../../../src/gateway/network/exchange.ts";
import {
  isUnknownIssuer,
  mayConnectOtherwise,
  transportFailure,
} from "../../../src/gateway/network/transportErrors.ts";

const failed = (code: string, sent: "no" | "maybe" = "no"): TransportError =>
  new TransportError(sent, Object.assign(new Error(code), { code }));

/** Errors that Node documents for certificates (tls, "X509 certificate error codes"), others that OpenSSL has, and alerts. */
const aboutCertificates = `UNABLE_TO_GET_ISSUER_CERT UNABLE_TO_GET_CRL UNABLE_TO_DECRYPT_CERT_SIGNATURE CRL_HAS_EXPIRED
  CERT_NOT_YET_VALID ERROR_IN_CERT_NOT_BEFORE_FIELD DEPTH_ZERO_SELF_SIGNED_CERT SELF_SIGNED_CERT_IN_CHAIN CERT_UNTRUSTED
  UNABLE_TO_VERIFY_LEAF_SIGNATURE CERT_CHAIN_TOO_LONG CERT_REVOKED INVALID_CA PATH_LENGTH_EXCEEDED INVALID_PURPOSE
  HOSTNAME_MISMATCH UNSPECIFIED CA_MD_TOO_WEAK EE_KEY_TOO_SMALL ERR_TLS_CERT_ALTNAME_INVALID ERR_TLS_CERT_ALTNAME_FORMAT
  ERR_SSL_CERTIFICATE_VERIFY_FAILED ERR_SSL_TLSV1_ALERT_UNKNOWN_CA ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED
  ERR_SSL_EE_KEY_TOO_SMALL ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED ERR_SSL_CA_MD_TOO_WEAK ERR_SSL_BAD_SIGNATURE`;

describe("a failure of the transport", () => {
  for (const code of aboutCertificates.split(/\s+/)) {
    it(`is about a certificate: ${code}`, () => {
      assert.equal(transportFailure(failed(code)).kind, "untrusted");
      assert.ok(!mayConnectOtherwise(failed(code)));
    });
  }

  it("is about the issuer where trusting the system's certificates may help", () => {
    assert.ok(isUnknownIssuer(failed("SELF_SIGNED_CERT_IN_CHAIN")));
    assert.ok(!isUnknownIssuer(failed("CERT_HAS_EXPIRED")));
    assert.ok(!isUnknownIssuer(failed("INVALID_PURPOSE")));
  });

  const kinds = [
    ["ECONNREFUSED", "no", "unreachable"],
    ["ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE", "no", "unreachable"],
    ["ERR_SSL_WRONG_VERSION_NUMBER", "no", "notHttps"],
    ["EAI_AGAIN", "no", "unreachable"],
    ["Z_BUF_ERROR", "maybe", "connectionLost"],
    ["ECONNRESET", "maybe", "connectionLost"],
    ["EPIPE", "maybe", "connectionLost"],
    ["HPE_INVALID_CONSTANT", "maybe", "badGateway"],
    ["HPE_INVALID_CHUNK_SIZE", "maybe", "badGateway"],
    ["HPE_INVALID_EOF_STATE", "maybe", "connectionLost"],
    ["HPE_HEADER_OVERFLOW", "maybe", "rejected"],
    ["UND_ERR_HEADERS_OVERFLOW", "maybe", "rejected"],
    ["UND_ERR_BODY_TIMEOUT", "maybe", "timeout"],
  ] as const;
  for (const [code, sent, kind] of kinds) {
    it(`is ${kind} for ${code}`, () => {
      assert.equal(transportFailure(failed(code, sent)).kind, kind);
    });
  }

  it("may be avoided by another proxy if nothing was reached", () => {
    for (const code of ["ENOTFOUND", "ECONNREFUSED", "EHOSTUNREACH", "UND_ERR_CONNECT_TIMEOUT", "UND_ERR_PRX_TLS"]) {
      assert.ok(mayConnectOtherwise(failed(code)), code);
    }
    for (const code of ["ECONNRESET", "EPIPE", "UND_ERR_HEADERS_TIMEOUT", "ERR_SSL_WRONG_VERSION_NUMBER"]) {
      assert.ok(!mayConnectOtherwise(failed(code)), code);
    }
  });
});
