import { asArray, asObject, asText, type JsonObject, parseJson } from "../../text/json.ts";
import { bounded, type Clean, withoutKeys } from "../../text/withoutKeys.ts";
import { GatewayError, type GatewayErrorDetails, type GatewayErrorKind } from "../errors.ts";
import type { HttpAnswer } from "../network/exchange.ts";
import { readStart } from "./body.ts";
import { errorLayers, saidIn } from "./errorLayers.ts";
import { header } from "./headers.ts";
import { aboutPage, isPage } from "./page.ts";
import { promptLengthIn } from "./promptLength.ts";
import { retryAfter } from "./retryAfter.ts";

/** How much of an error's body is read, in bytes and milliseconds, because it may never end. */
const bodyLimit = 64 * 1024;
const bodyTime = 5_000;

/** The error table of the gateway's interface. */
export const kindByStatus: Readonly<Record<number, GatewayErrorKind>> = {
  401: "unauthorized",
  403: "forbidden",
  404: "notFound",
  413: "contextTooLong",
  429: "rateLimited",
  500: "serverError",
  503: "overloaded",
  529: "overloaded",
  ...Object.fromEntries(
    [502, 504, 520, 521, 522, 523, 524, 525, 526, 527, 530].map((status) => [status, "badGateway"] as const),
  ),
};

/**
 * The gateway's interface names this code but neither its position nor its status, so it counts anywhere in an error's
 * body, as a word.
 */
export const modelNotFoundCode = /\bmodel_not_found\b/;

/**
 * Converts an answer with a status other than 2xx to an error, at the time `now`. Reads the beginning of the body and
 * closes it.
 */
export async function errorAnswer(
  { status, headers, body }: HttpAnswer,
  now: number,
  clean: Clean = withoutKeys,
): Promise<GatewayError> {
  const details = { status, sent: "maybe" } as const;
  if (status >= 300 && status < 400) {
    await body.return();
    const target = URL.parse(header(headers, "location") ?? "");
    const gatewayMessage = target === null ? undefined : bounded(target.origin + target.pathname, clean);
    return new GatewayError("redirected", "The entry redirects.", { ...details, gatewayMessage });
  }
  const text = await readStart(body, bodyLimit, bodyTime);
  const json = parseJson(text);
  const byStatus = kindOf(status, isPage(text));
  const isUnknownModel = modelNotFoundCode.test(text);
  const error = json ?? (isPage(text) ? undefined : text);
  const length = isUnknownModel ? undefined : promptLengthIn(error, wordsCount.has(byStatus));
  const kind = isUnknownModel ? "modelNotFound" : length === undefined ? byStatus : "contextTooLong";
  return new GatewayError(kind, `The gateway answered with status ${status}.`, {
    ...details,
    ...length,
    ...spoken(json, text, clean),
    retryAfter: retryAfter(headers, now),
  });
}

/** Kinds by status that leave the cause to the error's words. */
const wordsCount: ReadonlySet<GatewayErrorKind> = new Set(["contextTooLong", "rejected", "serverError"]);

/** Statuses with the same meaning even on a web page. */
const ownStatuses: ReadonlySet<number> = new Set([401, 403, 404, 429]);

/** A web page instead of JSON comes from a proxy in front of the gateway, whatever its status. */
function kindOf(status: number, isWebPage: boolean): GatewayErrorKind {
  if (isWebPage && !ownStatuses.has(status)) return "badGateway";
  return kindByStatus[status] ?? "rejected";
}

/**
 * The details in an error's body, in the shapes that OpenAI-compatible services use. The gateway's interface shows
 * none.
 */
export function spoken(
  json: unknown,
  text: string,
  clean: Clean = withoutKeys,
): Pick<GatewayErrorDetails, "gatewayMessage" | "code" | "field" | "page"> {
  if (asObject(json) === undefined && isPage(text)) return aboutPage(text, clean);
  const layers = errorLayers(json ?? text);
  if (layers.length === 0) return { gatewayMessage: bounded(text, clean) };
  const said = first(layers, saidIn);
  const field = first(layers, ({ param, field: named, loc }) => asText(param) ?? asText(named) ?? pathOf(loc));
  return {
    code: first(layers, codeIn),
    gatewayMessage: said === undefined ? undefined : bounded(said, clean),
    field: field === undefined ? undefined : bounded(field, clean),
  };
}

/** What the innermost layer says that says anything. */
function first(layers: readonly JsonObject[], read: (layer: JsonObject) => string | undefined): string | undefined {
  return layers.map(read).find((found) => found !== undefined);
}

/** The error code of a layer, rather in words than a status. */
function codeIn({ code, type }: JsonObject): string | undefined {
  const codes = [code, type].map(asCode).filter((one) => one !== undefined);
  return codes.find((one) => /\D/.test(one)) ?? codes[0];
}

/** A value that looks like an error code. */
function asCode(value: unknown): string | undefined {
  const code = typeof value === "number" ? String(value) : asText(value);
  return code !== undefined && /^\w{1,64}$/.test(code) ? code : undefined;
}

/** The path of a FastAPI validation error, such as `tools.0.type`. */
function pathOf(location: unknown): string | undefined {
  const steps = asArray(location)
    .filter((step) => typeof step === "string" || typeof step === "number")
    .filter((step) => step !== "body");
  return steps.length === 0 ? undefined : steps.join(".");
}
