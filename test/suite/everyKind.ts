import type { GatewayErrorKind } from "../../src/gateway/errors.ts";

/** A kind missing here does not compile. */
const kinds: Record<GatewayErrorKind, true> = {
  noEntry: true,
  badUrl: true,
  noKey: true,
  keyNotAllowed: true,
  certificateFile: true,
  offline: true,
  unreachable: true,
  untrusted: true,
  notHttps: true,
  proxyRefused: true,
  timeout: true,
  connectionLost: true,
  interrupted: true,
  unauthorized: true,
  forbidden: true,
  notFound: true,
  modelNotFound: true,
  contextTooLong: true,
  filtered: true,
  rateLimited: true,
  serverError: true,
  overloaded: true,
  badGateway: true,
  redirected: true,
  rejected: true,
  empty: true,
  unreadable: true,
  noImage: true,
  mayBeCharged: true,
  linkExpired: true,
  linkForbidden: true,
  downloadFailed: true,
  notAnImage: true,
  tooLarge: true,
};

/** Every kind of failure of the gateway's client. */
export const everyKind: readonly GatewayErrorKind[] = Object.keys(kinds).filter(
  (kind): kind is GatewayErrorKind => kind in kinds,
);
