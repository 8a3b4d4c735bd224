import { asCount, asText, type JsonObject } from "./json.ts";
import { type Draft, type Fragment, ToolCallDrafts } from "./toolCalls.ts";

/** What is said about a call: the ids of the call and of its item, and the item's place in the output. */
interface CallName {
  readonly callId: string | undefined;
  readonly itemId: string | undefined;
  readonly place: number | undefined;
}

/** The tool calls of a response, which come in pieces, whole in up to three events, or in any mix of both. */
export class ResponseCalls {
  readonly drafts = new ToolCallDrafts();
  readonly #byKey = new Map<string, Draft>();
  readonly #unnamed = new Set<Draft>();
  #last: Draft | undefined;

  /** A call has begun: its item, so far without arguments. */
  begin(item: JsonObject, place: unknown): void {
    if (item.type !== "function_call") return;
    const fragment = { ...fragmentOf(item), input: undefined };
    this.drafts.extend(this.#draft(itemName(item, place), fragment), fragment);
  }

  /** A piece of a call's arguments. */
  extend(event: JsonObject): void {
    const fragment = { id: asText(event.call_id), name: asText(event.name), input: event.delta };
    this.drafts.extend(this.#draft(eventName(event), fragment), fragment);
  }

  /** The whole arguments of a call. */
  completeArguments(event: JsonObject): void {
    const fragment = { id: asText(event.call_id), name: asText(event.name), input: event.arguments };
    this.drafts.complete(this.#draft(eventName(event), fragment), fragment);
  }

  /** A whole call. */
  complete(item: JsonObject, place: unknown): void {
    if (item.type !== "function_call") return;
    const fragment = fragmentOf(item);
    this.drafts.complete(this.#draft(itemName(item, place), fragment), fragment);
  }

  #draft(name: CallName, fragment: Fragment): Draft {
    const keys = keysOf(name);
    const draft = this.#byName(keys, name.callId) ?? this.#byContent(keys, fragment) ?? this.drafts.begin(true);
    for (const key of keys) this.#byKey.set(key, draft);
    if (keys.length === 0) this.#unnamed.add(draft);
    else this.#unnamed.delete(draft);
    this.#last = draft;
    return draft;
  }

  /** Places shift where a gateway leaves out items, so a call with another id is another call. */
  #byName(keys: readonly string[], callId: string | undefined): Draft | undefined {
    const found = keys.map((key) => this.#byKey.get(key));
    return found.find((draft) => draft && (callId === undefined || draft.id === "" || draft.id === callId));
  }

  /** Without names: what is still arriving goes on, and what came before may come once more. */
  #byContent(keys: readonly string[], { name, input }: Fragment): Draft | undefined {
    if (keys.length === 0 && this.#last?.isOpen) return this.#last;
    return this.#unnamed.values().find((draft) => draft.name === name && (draft.isOpen || draft.text === input));
  }
}

function itemName(item: JsonObject, place: unknown): CallName {
  return { callId: asText(item.call_id), itemId: asText(item.id), place: asCount(place) };
}

function eventName(event: JsonObject): CallName {
  return { callId: asText(event.call_id), itemId: asText(event.item_id), place: asCount(event.output_index) };
}

function keysOf({ callId, itemId, place }: CallName): readonly string[] {
  return [
    ...(callId === undefined ? [] : [`call ${callId}`]),
    ...(itemId === undefined ? [] : [`item ${itemId}`]),
    ...(place === undefined ? [] : [`place ${String(place)}`]),
  ];
}

function fragmentOf(item: JsonObject): Fragment {
  return { id: asText(item.call_id) ?? asText(item.id), name: asText(item.name), input: item.arguments };
}
