import { asArray, asObject, asText, type JsonObject, parseJson } from "../../base/json.ts";
import { bounded, type Clean } from "../../base/withoutKeys.ts";
import { GatewayError, type GatewayErrorKind } from "../errors.ts";
import type { HttpAnswer } from "../network/exchange.ts";
import {
  codesIn,
  errorDetails,
  errorLayers,
  fieldIn,
  hasContent,
  isPage,
  messageIn,
  pageDetails,
} from "./errorDetails.ts";
import { meaningOf } from "./finishReasons.ts";
import { header, retryAfter } from "./headers.ts";
import { promptLengthIn, type TokenLimit } from "./promptLength.ts";

/** How much of an error's body is read, in bytes and milliseconds, because it may never end. */
const bodyLimit = 64 * 1024;
const bodyTimeout = 5_000;

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

/** Converts the answer of `url` with a status other than 2xx to an error. Reads the body's beginning, and closes it. */
export async function errorAnswer(answer: HttpAnswer, now: number, url?: URL): Promise<GatewayError> {
  const { status, headers } = answer;
  if (status >= 300 && status < 400) {
    answer.close();
    const location = header(headers, "location");
    const target = location === undefined ? null : URL.parse(location, url?.href);
    const gatewayMessage = target === null ? undefined : target.origin + target.pathname;
    return new GatewayError("redirected", "The entry redirects.", { status, sent: "maybe", gatewayMessage });
  }
  const text = await readStart(answer);
  const byStatus = needsHttps.test(text) ? "notHttps" : kindOf(status, isPage(text));
  const layers = errorLayers(parseJson(text) ?? text);
  const { kind, ...length } = isPage(text) ? { kind: byStatus } : refined(byStatus, layers);
  return new GatewayError(kind, `The gateway answered with status ${status}.`, {
    status,
    sent: "maybe",
    ...length,
    ...(isPage(text) ? pageDetails(text) : errorDetails(layers)),
    retryAfter: retryAfter(headers, now, layers),
  });
}

/** Reads the beginning of a body as UTF-8 text, without byte order mark. Never throws; closes the body. */
async function readStart(answer: HttpAnswer): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  const timer = setTimeout(() => {
    answer.close();
  }, bodyTimeout);
  try {
    for await (const chunk of answer.body) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= bodyLimit) break;
    }
  } catch {
    // The status suffices; the body only adds details.
  } finally {
    clearTimeout(timer);
  }
  return new TextDecoder().decode(Buffer.concat(chunks).subarray(0, bodyLimit));
}

/** What servers answer to plain http on a TLS port: nginx, Apache, Go and Envoy. */
const needsHttps = /plain HTTP request was sent to HTTPS|HTTP request to an HTTPS server|plain HTTP to an SSL/i;

/** Statuses with the same meaning even on a web page. */
const pageStatuses: ReadonlySet<number> = new Set([401, 403, 404, 413, 429]);

/** A web page instead of JSON comes from a proxy in front of the gateway. */
function kindOf(status: number, isWebPage: boolean): GatewayErrorKind {
  if (isWebPage && !pageStatuses.has(status)) return "badGateway";
  return kindByStatus[status] ?? "rejected";
}

const errorName = /(?:error|exception)$/i;

/**
 * The error in an object that arrived in place of an answer: in a 200, or as an event of a stream with an optional name. A
 * response that a filter has ended is not an error.
 */
export function bodyFailure(json: JsonObject, event?: string): GatewayError | undefined {
  const isError =
    event === "error" || json.object === "error" || (typeof json.type === "string" && errorName.test(json.type));
  // OpenRouter also reports errors of its upstreams in a choice (https://openrouter.ai/docs/api-reference/overview).
  const choice = asObject(asArray(json.choices)[0]);
  if (!isError && json.error == null && json.response == null && choice?.error == null) return undefined;
  const response = asObject(json.response);
  const failed = [json, response, choice].find((one) => hasContent(one?.error)) ?? (isError ? json : undefined);
  if (failed === undefined) return undefined;
  const { error } = failed;
  // If the error is a word or `true`, its details are beside it.
  const found = typeof error === "object" && hasContent(error) ? error : failed;
  const reason = asText(asObject((response ?? json).incomplete_details)?.reason);
  return reason !== undefined && meaningOf(reason) === "contentFilter"
    ? undefined
    : errorOf(found, failed === choice ? "serverError" : undefined);
}

/**
 * The error in an object that is not an answer, in any form: FastAPI sends `{detail}`, proxies send `{message, code}`.
 * Unreadable without a known code. A message with a status in words is a report of progress.
 */
export function unnamedFailure(json: JsonObject): GatewayError | undefined {
  const hasMessage = typeof json.status !== "string" && messageIn(json) !== undefined;
  const isError = hasMessage || kindByCodes(json) !== undefined || errorLayers(json).length > 1;
  return isError ? errorOf(json, "unreadable") : undefined;
}

/** The error in an event. `unknown`: the kind of an error without a known code. */
export function errorOf(error: unknown, unknown: GatewayErrorKind = "rejected"): GatewayError {
  const layers = errorLayers({ error });
  const byCode = layers.toReversed().map(kindByCodes);
  const { kind, ...length } = refined(byCode.find((one) => one !== undefined) ?? unknown, layers);
  const message = "The gateway sent an error instead of an answer.";
  const details = { ...errorDetails(layers), retryAfter: retryAfter({}, 0, layers) };
  return new GatewayError(kind, message, { sent: "maybe", ...length, ...details });
}

/**
 * Kinds of the error codes and types that OpenAI-compatible services use, for errors without an HTTP status of their own. In
 * lowercase, without separators and "error" at the end.
 */
const codeForms: readonly (readonly [kind: GatewayErrorKind, form: RegExp])[] = [
  ["unauthorized", /^(?:invalidapikey|authentication|unauthorized)$/],
  ["forbidden", /^permission(?:denied)?$/],
  ["notFound", /^notfound$/],
  ["rateLimited", /^(?:ratelimit(?:ed|exceeded)?|toomanyrequests|usagelimitreached)$/],
  ["overloaded", /overloaded$|^(?:slowdown|(?:service)?unavailable)$/],
  ["serverError", /^(?:server|internal|internalserver|api)$/],
  ["badGateway", /^(?:badgateway|(?:gateway)?timeout|upstream)$/],
];

function kindByCodes(layer: JsonObject): GatewayErrorKind | undefined {
  const codes = codesIn(layer);
  const words = codes.map((code) => code.toLowerCase().replace(/[^a-z]|error\W*$/g, ""));
  const [kind] = codeForms.find(([, form]) => words.some((word) => form.test(word))) ?? [];
  return kind ?? codes.map((code) => kindByStatus[Number(code)]).find((found) => found !== undefined);
}

/** The gateway's interface names this code, but neither its field nor its status. */
const modelNotFound = "model_not_found";

/** The same in the words of a 404, as in vLLM and Ollama. */
const missingModel = /\bmodel\b[^!?]{0,100}\bnot (?:found|exist)|模型.{0,60}(?:不存在|未找到|找不到)/i;

/** Codes and words of content filters: OpenAI, Azure, LiteLLM, OpenRouter, DashScope, DeepSeek, Zhipu, new-api and Volcengine. */
const filtered = String.raw`content_?filter|content_?policy_?violation|content_?moderation|responsible_?ai_?policy|content management policy|moderation_blocked|flagged_input|cyber_policy|(?:input|prompt|request|content) (?:was|has been|is) flagged|safety system|content exists risk|敏感(?:词|内容|信息)|内容审核|data_?inspection_?failed|sensitive_?(?:words?|content)|prohibited_content`;

const isFiltered = new RegExp(filtered, "i");

/** Matches a code in a message: as a word, or as the code in a printed Python object. In quotes, it may name a tool. */
function mentions(code: string): (message: string) => boolean {
  const asWord = new RegExp(String.raw`(?<![\w'"\`-])(?:${code})`, "i");
  const asCode = new RegExp(String.raw`\b(?:code|type)'?\s?[:=]\s?'?(?:${code})`, "i");
  return (message) => {
    const own = message.replace(/["“][^"“”]*["”]/g, "");
    return asWord.test(own) || asCode.test(own);
  };
}

const mentionsModelNotFound = mentions(modelNotFound);
const mentionsFiltered = mentions(filtered);

/** Kinds for which the words decide. Some gateways call every error of an upstream `upstream_error`. */
const decidedByWords: ReadonlySet<GatewayErrorKind> = new Set([
  ...(["contextTooLong", "rejected", "serverError", "badGateway", "unreadable"] as const),
]);

/** The kind of an error, from its codes and words if they are more specific. Words about a field do not count. */
function refined(
  kind: GatewayErrorKind,
  layers: readonly JsonObject[],
): { readonly kind: GatewayErrorKind } & Partial<TokenLimit> {
  const codes = layers.flatMap(codesIn);
  const isAboutField = layers.map(fieldIn).some((field) => field !== undefined && field !== "model");
  const messages = isAboutField ? [] : layers.map((layer) => messageIn(layer) ?? "");
  const isModelMissing = kind === "notFound" && messages.some((message) => missingModel.test(message));
  if (isModelMissing || codes.includes(modelNotFound) || messages.some(mentionsModelNotFound))
    return { kind: "modelNotFound" };
  if (codes.some((code) => isFiltered.test(code)) || messages.some(mentionsFiltered)) return { kind: "filtered" };
  const length = promptLengthIn(layers, decidedByWords.has(kind));
  return length === undefined ? { kind } : { ...length, kind: "contextTooLong" };
}

const maxCauses = 10;

/** Removes the key from an error's texts, including its causes, and shortens them to one line each. */
export function withoutKey(error: GatewayError, clean: Clean): GatewayError {
  const { kind, message, cause, page, ...known } = error;
  const texts = Object.entries(known)
    .filter((entry): entry is [string, string] => typeof entry[1] === "string")
    .map(([name, text]) => [name, bounded(text, clean)] as const);
  const title = page === undefined ? {} : { page: bounded(page, clean) ?? "" };
  cleanCauses(cause, clean);
  return new GatewayError(kind, clean(message), { ...known, ...Object.fromEntries(texts), ...title, cause });
}

/** Parser errors contain the bytes they failed on: `data` in undici 8.12, `rawPacket` in Node 24. */
function cleanCauses(cause: unknown, clean: Clean): void {
  let error = cause;
  for (let depth = 0; depth < maxCauses && error instanceof Error; depth += 1) {
    if ("data" in error) error.data = undefined;
    if ("rawPacket" in error) error.rawPacket = undefined;
    const { message, stack } = error;
    if (clean(message) !== message) error.message = clean(message);
    if (stack !== undefined && clean(stack) !== stack) error.stack = clean(stack);
    error = error.cause;
  }
}
