import { asCount, asText, type JsonObject } from "../../text/json.ts";
import { type Draft, type Fragment, ToolCallDrafts } from "./toolCalls.ts";

/** What identifies a call: its call id, its item id, and its position in the output. */
interface CallName {
  readonly callId: string | undefined;
  readonly itemId: string | undefined;
  readonly place: number | undefined;
}

/** Assembles the tool calls of a response, which arrive in pieces, whole in up to three events, or both. */
export class ResponseCalls {
  readonly drafts = new ToolCallDrafts();
  readonly #byKey = new Map<string, Draft>();
  readonly #unnamed = new Set<Draft>();
  #last: Draft | undefined;

  /** Starts a call from its item, which has no arguments yet. */
  begin(item: JsonObject, place: unknown): void {
    if (item.type !== "function_call") return;
    const fragment = { ...fragmentOf(item), input: undefined };
    this.drafts.extend(this.#draft(itemName(item, place), fragment), fragment);
  }

  /** Adds a piece of a call's arguments. */
  extend(event: JsonObject): void {
    const fragment = { id: asText(event.call_id), name: asText(event.name), input: event.delta };
    this.drafts.extend(this.#draft(eventName(event), fragment), fragment);
  }

  /** Sets a call's whole arguments. */
  completeArguments(event: JsonObject): void {
    const fragment = { id: asText(event.call_id), name: asText(event.name), input: event.arguments };
    this.drafts.complete(this.#draft(eventName(event), fragment), fragment);
  }

  /** Adds a complete call. */
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

  /** Positions shift if a gateway omits items, so a call with a different id is a different call. */
  #byName(keys: readonly string[], callId: string | undefined): Draft | undefined {
    const found = keys.map((key) => this.#byKey.get(key));
    return found.find((draft) => draft && (callId === undefined || draft.id === "" || draft.id === callId));
  }

  /** Without ids: continues the open call; a completed one may be repeated once. */
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
