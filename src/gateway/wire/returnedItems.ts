import { asArray, asObject, asText, type JsonObject } from "../../base/json.ts";

/** Maximum length of the items of an answer, in characters of JSON. The reasoning of one answer has up to about 200,000. */
const maxLength = 4 * 1024 * 1024;

/**
 * The items of an answer through the Responses API, unchanged and in order, to be returned to the model with the results of
 * its tool calls. Events and lists may repeat items. If they are too long, none are returned, because the gateway would refuse
 * a part of them.
 */
export class ReturnedItems {
  /** By their JSON. */
  readonly #items = new Map<string, JsonObject>();
  #length = 0;
  #hasReasoning = false;

  add(item: unknown): void {
    const object = returnable(item);
    if (object === undefined || this.#length > maxLength) return;
    const json = JSON.stringify(object);
    if (this.#items.has(json)) return;
    this.#items.set(json, object);
    this.#length += json.length;
    // The phase of a message is a part of the reasoning.
    this.#hasReasoning ||= object.type === "reasoning" || asText(object.phase) !== undefined;
  }

  /** Takes the list at the end of an answer instead, if events have brought no reasoning. */
  complete(output: unknown): void {
    if (this.#hasReasoning) return;
    this.#items.clear();
    this.#length = 0;
    for (const item of asArray(output)) this.add(item);
  }

  /** The items; none if they carry no reasoning. */
  get all(): readonly JsonObject[] {
    return this.#hasReasoning && this.#length <= maxLength ? [...this.#items.values()] : [];
  }
}

/** An item that a request may contain unchanged; `undefined` for any other, such as reasoning that is not encrypted. */
function returnable(value: unknown): JsonObject | undefined {
  const item = asObject(value) ?? {};
  if (item.type === "reasoning") return asText(item.encrypted_content) === undefined ? undefined : item;
  return item.type === "function_call" || (item.type === "message" && item.role === "assistant") ? item : undefined;
}
