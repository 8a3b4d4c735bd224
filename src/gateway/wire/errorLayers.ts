import { asArray, asObject, asText, type JsonObject, parseJson } from "../../text/json.ts";

/** Maximum number of objects inside one another. */
const maxLayers = 6;

/**
 * The objects of an error's body that may say what is wrong, the innermost first. Gateways put the error of their
 * upstream into their own, as an object, a list or a text, for example OpenRouter into `metadata.raw`
 * (https://openrouter.ai/docs/api-reference/errors).
 */
export function errorLayers(json: unknown): readonly JsonObject[] {
  const layers: JsonObject[] = [];
  let layer = layerIn(json);
  while (layer !== undefined && layers.length < maxLayers) {
    layers.unshift(layer);
    const { error, errors, detail, message, metadata } = layer;
    layer = [asObject(metadata)?.raw, error, errors, detail, message]
      .map(layerIn)
      .find((found) => found !== undefined && saysSomething(found));
  }
  return layers;
}

/** What one layer says, as text. */
export function saidIn(layer: JsonObject): string | undefined {
  const { metadata, message, detail, error, msg, error_message, error_msg, status_msg, exception } = layer;
  const said = [asObject(metadata)?.raw, message, detail, error, msg, error_message, error_msg, status_msg, exception];
  // FastChat's errors have a text and a code.
  return [...said, asArray(layer.errors)[0], layer.error_code == null ? undefined : layer.text]
    .map(asText)
    .find(Boolean);
}

/**
 * Whether an error has any content. Some services add an empty error object to successful answers
 * (BerriAI/litellm#18407).
 */
export function saysSomething(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return Boolean(error);
  return Object.values(error).some(Boolean);
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
  return found !== undefined && (found.error != null || saidIn(found) !== undefined) ? found : undefined;
}
