import { GatewayError, type GatewayErrorDetails, type GatewayErrorKind } from "../errors.ts";
import type { HttpAnswer } from "../network/exchange.ts";
import { retryAfter } from "../policy/retryAfter.ts";
import { readStart } from "./body.ts";
import { header } from "./headers.ts";
import { asArray, asObject, asText, type JsonObject, parseJson } from "./json.ts";
import { withoutKeys } from "./withoutKeys.ts";

/** How much of an error's body is read, in bytes and in milliseconds: it may never end. */
const bodyLimit = 64 * 1024;
const bodyTime = 5_000;

/** The error table of the interface. */
const kindByStatus: Readonly<Record<number, GatewayErrorKind>> = {
  401: "unauthorized",
  403: "forbidden",
  404: "notFound",
  429: "rateLimited",
  500: "serverError",
  503: "overloaded",
  529: "overloaded",
  ...Object.fromEntries([502, 504, 520, 521, 522, 523, 524].map((status) => [status, "badGateway"] as const)),
};

/** Error codes and types in use among OpenAI-compatible services, for errors that come without a status of their own. */
const kindByCode: Readonly<Record<string, GatewayErrorKind>> = {
  model_not_found: "modelNotFound",
  invalid_api_key: "unauthorized",
  authentication_error: "unauthorized",
  permission_error: "forbidden",
  permission_denied: "forbidden",
  not_found_error: "notFound",
  rate_limit_exceeded: "rateLimited",
  rate_limit_error: "rateLimited",
  too_many_requests: "rateLimited",
  server_error: "serverError",
  internal_error: "serverError",
  internal_server_error: "serverError",
  api_error: "serverError",
  overloaded_error: "overloaded",
  server_overloaded: "overloaded",
  service_unavailable: "overloaded",
};

/**
 * The interface names this code but neither its place nor its status, so it counts wherever an error's body has it as
 * a word of its own.
 */
const unknownModel = /\bmodel_not_found\b/;

/** The error that an answer with a status other than 2xx is, at the time `now`. Reads the beginning of its body and closes it. */
export async function statusFailure({ status, headers, body }: HttpAnswer, now: number): Promise<GatewayError> {
  const details = { status, sent: "maybe" } as const;
  if (status >= 300 && status < 400) {
    await body.return();
    const target = URL.parse(header(headers, "location") ?? "");
    const said = target === null ? undefined : bounded(target.origin + target.pathname);
    return new GatewayError("redirected", "The entry redirects.", { ...details, said });
  }
  const text = await readStart(body, bodyLimit, bodyTime);
  const json = parseJson(text);
  const kind = unknownModel.test(text) ? "modelNotFound" : (kindByStatus[status] ?? "rejected");
  return new GatewayError(kind, `The gateway answered with status ${status}.`, {
    ...details,
    ...spoken(json, text),
    retryAfter: retryAfter(headers, now),
  });
}

/** The error that an object is which came where an answer was expected: in a 200, or as an event of a stream. */
export function bodyFailure(json: JsonObject): GatewayError | undefined {
  const nested = asObject(json.response) ?? json;
  const error = nested.error ?? (json.type === "error" ? json : undefined);
  if (error == null) return undefined;
  const { code, type, status } = asObject(error) ?? { code: error };
  const words = [code, type].map((word) => kindByCode[asText(word) ?? ""]);
  const numbers = [code, status].map((number) => kindByStatus[Number(number)]);
  const kind = unknownModel.test(JSON.stringify(error))
    ? "modelNotFound"
    : [...words, ...numbers].find((found) => found !== undefined);
  const message = "The gateway sent an error instead of an answer.";
  return new GatewayError(kind ?? "rejected", message, { sent: "maybe", ...spoken({ error }, "") });
}

/** The title of an HTML page that came instead of an answer. */
export function pageTitle(html: string): string | undefined {
  const title = /<title[^>]*>([^<]*)/i.exec(html)?.[1]?.trim();
  return title === undefined ? undefined : bounded(title);
}

/** What an error's body says, in the shapes gateways use; the interface shows none. */
function spoken(json: unknown, text: string): Pick<GatewayErrorDetails, "said" | "field"> {
  const body = asObject(json);
  if (body === undefined) return { said: text.trimStart().startsWith("<") ? pageTitle(text) : bounded(text) };
  const error = asObject(body.error) ?? body;
  const detail = asObject(asArray(body.detail)[0]);
  const said = [error.message, error.detail, error.error, error.msg, detail?.msg].map(asText).find(Boolean);
  const field = asText(error.param) ?? asText(error.field) ?? asText(asArray(detail?.loc).at(-1));
  return {
    said: said === undefined ? undefined : bounded(said),
    field: field === undefined ? undefined : bounded(field),
  };
}

/** One line of at most 300 characters without keys. */
function bounded(text: string): string | undefined {
  const line = withoutKeys(text)
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim();
  return line.length > 300 ? `${line.slice(0, 299)}…` : line || undefined;
}
