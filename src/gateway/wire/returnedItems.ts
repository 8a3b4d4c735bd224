import { asArray, asObject, asText, type JsonObject } from "../../text/json.ts";

/** Maximum length of the items of an answer, in characters of JSON. The reasoning of one answer has up to about 200,000. */
const maxLength = 4 * 1024 * 1024;

/**
 * The items of an answer through responses, unchanged and in order, which a model gets back with the results of its tool
 * calls. Events and lists may repeat items. What is too long is given up as a whole: a part of it would be refused.
 */
export class ReturnedItems {
  /** By their JSON. */
  #items = new Map<string, JsonObject>();
  #length = 0;

  add(item: unknown): void {
    const object = returnable(item);
    if (object === undefined || this.#length > maxLength) return;
    const json = JSON.stringify(object);
    if (this.#items.has(json)) return;
    this.#items.set(json, object);
    this.#length += json.length;
  }

  /** Takes the list at the end of an answer instead, unless it lacks reasoning that events brought. */
  complete(output: unknown): void {
    const list = new ReturnedItems();
    for (const item of asArray(output)) list.add(item);
    if (list.#reasoning < this.#reasoning) return;
    this.#items = list.#items;
    this.#length = list.#length;
  }

  /** The items; none if nothing in them is worth returning. */
  get all(): readonly JsonObject[] {
    return this.#reasoning > 0 && this.#length <= maxLength ? [...this.#items.values()] : [];
  }

  get #reasoning(): number {
    return [...this.#items.values()].filter(carriesReasoning).length;
  }
}

/** An item that a request may have as it is; `undefined` for any other. Reasoning counts only if it is encrypted: nothing is stored. */
function returnable(value: unknown): JsonObject | undefined {
  const item = asObject(value) ?? {};
  if (item.type === "reasoning") return asText(item.encrypted_content) === undefined ? undefined : item;
  return item.type === "function_call" || (item.type === "message" && item.role === "assistant") ? item : undefined;
}

/** Whether an item has what texts and calls do not have: reasoning, or the phase of a message. */
function carriesReasoning({ type, phase }: JsonObject): boolean {
  return type === "reasoning" || asText(phase) !== undefined;
}
