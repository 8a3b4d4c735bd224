import { GatewayError, type GatewayErrorKind } from "../gateway/errors.ts";
import type { CompletionOutcome } from "./governor.ts";

/** What a failure means for the next requests. */
export function outcomeOf(error: unknown): CompletionOutcome {
  if (!(error instanceof GatewayError)) return "failed";
  // The model is told to say nothing where nothing fits.
  if (error.kind === "empty") return "answered";
  if (refusals.has(error.kind)) return "refused";
  return error.kind === "rateLimited" || error.kind === "overloaded" ? "limited" : "failed";
}

/** Failures that stay until the user changes something. */
const refusals: ReadonlySet<GatewayErrorKind> = new Set([
  "badUrl",
  "noKey",
  "keyNotAllowed",
  "certificateFile",
  "untrusted",
  "notHttps",
  "unauthorized",
  "forbidden",
  "notFound",
  "modelNotFound",
  "redirected",
  "rejected",
]);
