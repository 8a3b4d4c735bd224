import type { GatewayError, GatewayErrorKind } from "../errors.ts";
import { afterProcessing } from "./rules.ts";

/** Whether an image POST that failed so may have been charged. */
export function mayBeCharged(error: GatewayError): boolean {
  // `rejected` by this side, for headers beyond all bounds, says nothing about what the gateway did.
  const isOurRejection = error.kind === "rejected" && error.cause !== undefined;
  return error.sent === "maybe" && (afterProcessing.some((kind) => kind === error.kind) || isOurRejection);
}

/** Causes that a user can do something about, and that the other entry's trouble must not hide. */
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
  "rateLimited",
  "redirected",
  "rejected",
]);

/** The failure a user reads when several attempts failed: the first actionable one, else the first. */
export function mostUsefulFailure(failures: readonly [GatewayError, ...GatewayError[]]): GatewayError {
  return failures.find(({ kind }) => actionable.has(kind)) ?? failures[0];
}
