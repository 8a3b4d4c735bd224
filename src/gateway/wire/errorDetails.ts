import { asArray, asObject, asText, type JsonObject, parseJson } from "../../base/json.ts";
import type { GatewayErrorDetails } from "../errors.ts";

/** Maximum number of nested objects. */
const maxLayers = 6;

/**
 * The objects of an error that describe it, innermost first. Gateways put the error of their upstream into their own, as
 * an object, a list or a text. Other parts of an error may quote the request.
 */
export function errorLayers(error: unknown): readonly JsonObject[] {
  const layers: JsonObject[] = [];
  let layer = layerIn(error);
  while (layer !== undefined && layers.length < maxLayers) {
    layers.unshift(layer);
    const { innererror, error: inner, errors, detail, message, metadata } = layer;
    // OpenRouter keeps the answer of its upstream in `metadata.raw` (https://openrouter.ai/docs/api-reference/errors).
    layer = [innererror, inner, errors, detail, message, asObject(metadata)?.raw]
      .map(layerIn)
      .find((found) => found !== undefined && hasContent(found));
  }
  return typeof error === "string" ? [...layers, { message: error }] : layers;
}

/** An object; the first of a list; or an error in JSON inside a text, such as `400 {"error": …}`. */
function layerIn(value: unknown): JsonObject | undefined {
  return typeof value === "string" ? errorInText(value) : (asObject(value) ?? asObject(asArray(value)[0]));
}

/** Maximum length of a text that is searched. */
const maxLength = 64 * 1024;

/** JSON in a message may also quote the request, such as the schema of a tool. */
function errorInText(text: string): JsonObject | undefined {
  const start = text.indexOf("{");
  if (start < 0 || text.length > maxLength) return undefined;
  const found = asObject(parseJson(text.slice(start, text.lastIndexOf("}") + 1)));
  return found !== undefined && (found.error != null || messageIn(found) !== undefined) ? found : undefined;
}

/** Whether an error has any content. Some services add an empty one to successful answers (BerriAI/litellm#18407). */
export function hasContent(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return Boolean(error);
  return Object.values(error).some(Boolean);
}

/** Maximum number of characters to read of a message. */
const maxMessage = 4_000;

/** The message of one layer, or its beginning. */
export function messageIn(layer: JsonObject): string | undefined {
  const { message, detail, error, msg, error_message, errors } = layer;
  return [message, detail, error, msg, error_message, asArray(errors)[0]]
    .map(asText)
    .find(Boolean)
    ?.slice(0, maxMessage);
}

/** The codes of one layer, in words or digits. */
export function codesIn({ code, type, status, error_code, error_type, error }: JsonObject): readonly string[] {
  return [code, type, status, error_code, error_type, error].map(asCode).filter((one) => one !== undefined);
}

/** A value that looks like an error code. */
function asCode(value: unknown): string | undefined {
  const code = typeof value === "number" ? String(value) : asText(value);
  return code !== undefined && /^\w{1,64}$/.test(code) ? code : undefined;
}

/** The request field that one layer names. */
export function fieldIn({ param, field, loc }: JsonObject): string | undefined {
  return asField(param) ?? asField(field) ?? pathOf(loc);
}

/** The name of a field. LiteLLM writes `None` where there is none, and one-api the status. */
function asField(value: unknown): string | undefined {
  const name = asText(value);
  return name === undefined || /^(?:none|null|nil|\W*\d*)$/i.test(name.trim()) ? undefined : name;
}

/** The path of a FastAPI validation error, such as `tools.0.type`. */
function pathOf(location: unknown): string | undefined {
  const steps = asArray(location)
    .filter((step) => typeof step === "string" || typeof step === "number")
    .filter((step) => step !== "body");
  return steps.length === 0 ? undefined : steps.join(".");
}

type Details = Pick<GatewayErrorDetails, "gatewayMessage" | "code" | "field" | "page">;

/** Details of an error in the shapes of OpenAI-compatible services, because the gateway's interface shows none. */
export function errorDetails(layers: readonly JsonObject[]): Details {
  const first = (read: (layer: JsonObject) => string | undefined): string | undefined =>
    layers.map(read).find((found) => found !== undefined);
  return { code: first(codeIn), gatewayMessage: first(messageIn), field: first(fieldIn) };
}

/** The error code of a layer. Words are preferred to a status. */
function codeIn({ code, type, error_code }: JsonObject): string | undefined {
  const codes = codesIn({ code, type, error_code });
  return codes.find((one) => /\D/.test(one)) ?? codes[0];
}

/** Number of characters that are searched for a page's title. */
const headLength = 64 * 1024;

/** Whether a text is HTML or XML. JSON never starts with `<` (RFC 8259), but messages such as `<400> …` do. */
export function isPage(text: string): boolean {
  return /^<[a-z!?/]/i.test(text.trimStart().slice(0, 2));
}

/** Error details for a web page received instead of an answer: its title. Linear time: no search starts over. */
export function pageDetails(html: string): Details {
  const head = html.slice(0, headLength);
  const tag = head.search(/<title[\s>]/i);
  const start = tag < 0 ? -1 : head.indexOf(">", tag);
  const [title = ""] = start < 0 ? [] : head.slice(start + 1).split("<", 1);
  return { gatewayMessage: title, page: title };
}
