import type { GatewayError, GatewayErrorKind } from "../errors.ts";
import { afterProcessing } from "./rules.ts";

/** Whether a failed image POST may have been charged. */
export function mayBeCharged(error: GatewayError): boolean {
  // A rejection by this client, for oversized headers, says nothing about what the gateway did.
  const isOurRejection = error.kind === "rejected" && error.cause !== undefined;
  return error.sent === "maybe" && (afterProcessing.some((kind) => kind === error.kind) || isOurRejection);
}

/** Failures that the user can fix. The other entry's failure must not hide them. */
const actionable: ReadonlySet<GatewayErrorKind> = new Set([
  "noKey",
  "keyNotAllowed",
  "badUrl",
  "certificateFile",
  "untrusted",
  "notHttps",
  "proxyRefused",
  "unauthorized",
  "forbidden",
  "notFound",
  "modelNotFound",
  "contextTooLong",
  "rateLimited",
  "redirected",
  "rejected",
]);

/** The failure to show when several attempts failed: the first that the user can fix, else the first. */
export function mostUsefulFailure(failures: readonly [GatewayError, ...GatewayError[]]): GatewayError {
  return failures.find(({ kind }) => actionable.has(kind)) ?? failures[0];
}
