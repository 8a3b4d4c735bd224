import { asObject, asText, type JsonObject } from "../../text/json.ts";
import { type Clean, withoutKeys } from "../../text/withoutKeys.ts";
import { GatewayError, type GatewayErrorKind } from "../errors.ts";
import { kindByStatus, spoken, modelNotFoundCode } from "./errorAnswer.ts";
import { promptLengthIn } from "./promptLength.ts";

/**
 * Kinds of the error codes and types that OpenAI-compatible services use, for errors without an HTTP status of their
 * own.
 */
const kindByCode: ReadonlyMap<string, GatewayErrorKind> = new Map(
  Object.entries({
    modelNotFound: ["model_not_found"],
    unauthorized: ["invalid_api_key", "authentication_error"],
    forbidden: ["permission_error", "permission_denied"],
    notFound: ["not_found_error"],
    rateLimited: ["rate_limit_exceeded", "rate_limit_error", "rate_limited", "too_many_requests"],
    serverError: ["server_error", "internal_error", "internal_server_error", "api_error"],
    overloaded: [
      ...["overloaded", "overloaded_error", "server_overloaded", "server_is_overloaded", "upstream_overloaded"],
      ...["model_overloaded", "engine_overloaded", "engine_overloaded_error", "slow_down"],
      ...["service_unavailable", "service_unavailable_error", "unavailable"],
    ],
    badGateway: ["bad_gateway", "gateway_timeout", "upstream_error"],
  } as const satisfies Partial<Record<GatewayErrorKind, readonly string[]>>).flatMap(([kind, codes]) =>
    codes.map((code) => [code, kind as GatewayErrorKind] as const),
  ),
);

/**
 * The error in an object that arrived in place of an answer: in a 200, or as an event of a stream with an optional
 * name.
 */
export function bodyFailure(json: JsonObject, event?: string, clean: Clean = withoutKeys): GatewayError | undefined {
  const isError = event === "error" || json.type === "error";
  if (!isError && json.error == null && json.response == null) return undefined;
  const response = asObject(json.response);
  const found = [json.error, response?.error].find(saysSomething) ?? (isError ? json : undefined);
  return found === undefined ? undefined : errorOf(found, clean);
}

/** The error in an event whose data is not JSON. */
export function errorOf(error: unknown, clean: Clean): GatewayError {
  const { code, type, status, status_code, http_status } = asObject(error) ?? { code: error };
  const words = [code, type, status].map((word) => kindByCode.get(asText(word)?.trim().toLowerCase() ?? ""));
  const numbers = [code, status, status_code, http_status].map((number) => kindByStatus[Number(asNumeral(number))]);
  const byCode = [...words, ...numbers].find((one) => one !== undefined) ?? "rejected";
  const isUnknownModel = namesUnknownModel(error);
  const length = isUnknownModel ? undefined : promptLengthIn(error, wordsCount.has(byCode));
  const kind = isUnknownModel ? "modelNotFound" : length === undefined ? byCode : "contextTooLong";
  const message = "The gateway sent an error instead of an answer.";
  return new GatewayError(kind, message, { sent: "maybe", ...spoken({ error }, "", clean), ...length });
}

/** Kinds that leave the cause to the error's words. Some gateways call every error of an upstream `upstream_error`. */
const wordsCount: ReadonlySet<GatewayErrorKind> = new Set(["contextTooLong", "rejected", "serverError", "badGateway"]);

function asNumeral(value: unknown): unknown {
  return typeof value === "number" || typeof value === "string" ? value : undefined;
}

/**
 * Whether an error has any content. Some services add an empty error object to successful answers
 * (BerriAI/litellm#18407).
 */
function saysSomething(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return Boolean(error);
  return Object.values(error).some(Boolean);
}

/** Maximum number of values searched in an error. */
const maxSearched = 1_000;

/** Whether an error of any shape and depth contains the code `model_not_found` as a word. */
function namesUnknownModel(error: unknown): boolean {
  const queue: unknown[] = [error];
  for (let at = 0; at < queue.length && at < maxSearched; at += 1) {
    const value = queue[at];
    if (typeof value === "string" && modelNotFoundCode.test(value)) return true;
    if (typeof value !== "object" || value === null) continue;
    for (const [name, inner] of Object.entries(value).slice(0, maxSearched)) queue.push(name, inner);
  }
  return false;
}
