import { asArray, asCount, asObject, asText, type JsonObject } from "../../text/json.ts";
import { GatewayError, unreadable } from "../errors.ts";
import type { AnswerItems } from "../types.ts";
import { AnswerReader, contentText } from "./answerReader.ts";
import { type ContentPart, readUsage } from "./ending.ts";
import { meaningOf } from "./finishReasons.ts";
import { ReturnedItems } from "./returnedItems.ts";
import type { Fragment } from "./toolCalls.ts";

/** The kinds of text in a response. The first two are parts of its reasoning. */
const textKinds = ["summary", "reasoning", "text"] as const;
type TextKind = (typeof textKinds)[number];

/**
 * Reads answers of the responses operation, whole or as events. The gateway's interface does not show their shape;
 * these are the shapes of OpenAI's API (https://platform.openai.com/docs/api-reference/responses). Events with the same
 * content may be missing or repeated; each text and call is delivered once.
 */
export class ResponsesReader extends AnswerReader {
  protected readonly field = "output";
  readonly #source: AnswerSource | undefined;
  #texts = newTexts();
  #id: string | undefined;
  readonly #items = new ReturnedItems();

  /** With the `source` of the answer, its items are handed on where they carry reasoning for the next request. */
  constructor(source?: AnswerSource) {
    super();
    this.#source = source;
  }

  override end(): readonly ContentPart[] {
    const parts = super.end();
    const items = this.#items.all;
    const isCalling = parts.some(({ type }) => type === "toolCall");
    if (this.#source === undefined || !isCalling || items.length === 0) return parts;
    return [{ type: "items", items: { ...this.#source, items } }, ...parts];
  }

  read(json: JsonObject, event?: string): void {
    const { ending } = this;
    const type = asText(json.type) ?? event;
    if (type !== undefined && this.#readTyped(type, json)) {
      ending.isKnown = true;
      return;
    }
    const whole = json.output == null && json.output_text == null ? asObject(json.response) : json;
    const isResponse = whole?.output != null || asText(whole?.output_text) !== undefined;
    if (whole !== undefined && isResponse && type?.startsWith("response.") !== true) {
      ending.isKnown = true;
      this.#readResponse(whole, statusOf(whole));
    } else if (json.usage != null) ending.usage = readUsage(json.usage) ?? ending.usage;
    // Events have types, and there may be more of them than are read here.
    else if (type === undefined || !ending.isKnown) ending.noteStrange(json);
  }

  /** Returns whether the type of an event is one with content. */
  #readTyped(type: string, json: JsonObject): boolean {
    const text =
      /^response\.(output_text|refusal|content_part|reasoning_text|reasoning_summary_text)\.(delta|done)$/.exec(type);
    if (text) this.#readText(kinds[text[1] ?? ""] ?? "text", text[2] === "delta", json);
    const response = asObject(json.response) ?? {};
    const status = statusOf(response);
    switch (type) {
      case "response.created":
        this.#begin(asText(response.id));
        return false;
      case "response.output_item.added":
        for (const call of callsIn([json.item], json.output_index)) this.calls.add({ ...call, input: undefined }, true);
        return true;
      case "response.output_item.done":
        this.calls.complete(callsIn([json.item], json.output_index));
        this.#readItem(asObject(json.item) ?? {}, json.output_index);
        this.#items.add(json.item);
        return true;
      case "response.function_call_arguments.delta":
        this.calls.add(fragmentOf(json, json.delta), true);
        return true;
      case "response.function_call_arguments.done":
        this.calls.complete([fragmentOf(json, json.arguments)]);
        return true;
      case "response.completed":
      case "response.done":
        // The response may be a copy of the first event's that is still in progress.
        this.#readResponse(response, unfinished.has(status ?? "") ? undefined : status);
        return true;
      case "response.incomplete":
      case "response.failed":
      case "response.cancelled":
        this.#readResponse(response, type.slice("response.".length));
        return true;
      default:
        return text !== null;
    }
  }

  /** A gateway that loses its upstream may send another response in the same stream. */
  #begin(id: string | undefined): void {
    if (this.#id !== undefined && id !== this.#id) {
      this.told.startOver();
      this.calls.startOver();
      this.#texts = newTexts();
      this.#items.startOver();
    }
    this.#id = id ?? this.#id;
  }

  /** The text in an event, a piece or the whole. */
  #readText(kind: TextKind, isPiece: boolean, event: JsonObject): void {
    const text = contentText(isPiece ? event.delta : (event.part ?? event.text ?? event.refusal));
    if (text === undefined) return;
    const name = { id: asText(event.item_id), place: asCount(event.output_index) };
    const texts = this.#texts[kind];
    const index = asCount(event.content_index) ?? asCount(event.summary_index) ?? 0;
    this.#tellOf(kind, isPiece ? texts.add(name, index, text) : texts.rest(name, text, index));
  }

  #readItem(item: JsonObject, place: unknown): void {
    for (const kind of textKinds) {
      const text = textIn(item, kind);
      if (text === "") continue;
      this.#tellOf(kind, this.#texts[kind].rest({ id: asText(item.id), place: asCount(place) }, text));
    }
  }

  /** A whole response: the JSON body, or the last event of a stream. */
  #readResponse(response: JsonObject, status: string | undefined): void {
    const { ending } = this;
    const cause = asText(asObject(response.incomplete_details)?.reason);
    const isFiltered = cause !== undefined && meaningOf(cause) === "contentFilter";
    if (status !== undefined && unfinished.has(status)) throw unreadable("The response is not finished.");
    ending.usage = readUsage(response.usage) ?? ending.usage;
    const items = itemsOf(response.output);
    this.#items.complete(response.output);
    for (const kind of textKinds) {
      this.#tellOf(kind, this.#texts[kind].restOfAll(items.map((item) => textIn(item, kind)).join("")));
    }
    if (this.told.text === "") this.#tellOf("text", contentText(response.output_text) ?? "");
    this.calls.complete(callsIn(items));
    if (!this.calls.isEmpty) ending.note(true);
    if (status === "failed" && !isFiltered)
      throw new GatewayError("serverError", "The response failed.", { sent: "maybe" });
    const isCut = status === "incomplete" || cause !== undefined || items.some((item) => item.status === "incomplete");
    if (isCut) ending.note(false, cause ?? "length");
    else if (status !== undefined && status !== "completed") ending.note(false, status);
    else ending.note(false, this.calls.isEmpty ? "stop" : "tool_calls");
  }

  #tellOf(kind: TextKind, text: string): void {
    if (text === "") return;
    this.ending.note(true);
    this.tell(kind === "text" ? "text" : "reasoning", text);
  }
}

/** Where an answer comes from. */
type AnswerSource = Pick<AnswerItems, "entry" | "model">;

/** The kind of text in an event, by its name; of all others it is what the user reads. */
const kinds: Readonly<Record<string, TextKind>> = { reasoning_text: "reasoning", reasoning_summary_text: "summary" };

/** Statuses of an unfinished or cancelled response. */
const unfinished: ReadonlySet<string> = new Set(["in_progress", "queued", "cancelled", "canceled"]);

function statusOf({ status }: JsonObject): string | undefined {
  return asText(status)?.toLowerCase();
}

/** The items of a response's output: a list, a single item or a plain text. */
function itemsOf(output: unknown): readonly JsonObject[] {
  if (typeof output === "string") return [{ content: output }];
  return (Array.isArray(output) ? asArray(output) : [output]).map((item) => asObject(item) ?? {});
}

/** The text of one kind in an item. Items that repeat the input have none. */
function textIn({ type, role, content, summary, text }: JsonObject, kind: TextKind): string {
  if (role != null && role !== "assistant") return "";
  if (type !== "reasoning") return kind === "text" ? (contentText(type === "output_text" ? text : content) ?? "") : "";
  // Reasoning parts have types of their own.
  const pieces = kind === "text" ? [] : asArray(kind === "summary" ? summary : content);
  return pieces.map((piece) => asText(asObject(piece)?.text) ?? "").join("");
}

/** The calls among items. `place`: the position of a single one. */
function callsIn(items: readonly unknown[], place?: unknown): readonly Fragment[] {
  return items
    .map((one) => asObject(one) ?? {})
    .filter(({ type }) => type === "function_call")
    .map(({ id, call_id, name, arguments: input }) =>
      fragmentOf({ call_id: asText(call_id) ?? id, item_id: id, name, output_index: place }, input),
    );
}

/** What an event tells of a call's arguments. */
function fragmentOf(event: JsonObject, input: unknown): Fragment {
  const { call_id, item_id, name, output_index } = event;
  return { id: asText(call_id), itemId: asText(item_id), name: asText(name), place: asCount(output_index), input };
}

/** Maximum number of items with text in an answer. */
const maxItems = 1_000;

interface Item {
  /** The position in the output. */
  place: number | undefined;
  /** Some gateways change it with each event, so the position counts first. */
  id: string | undefined;
  /** What was said of each of its texts. */
  readonly said: Map<number, string>;
  isClosed: boolean;
}

/** What identifies the item that an event belongs to; all of it may be missing. */
type ItemName = Readonly<Pick<Item, "place" | "id">>;

/** The texts of one kind, in pieces, whole in up to four events, or both. Of what is whole, only what was not said is new. */
class Texts {
  readonly #items: Item[] = [];
  #current: Item | undefined;

  /** Returns a piece of a text. `index`: the text's position in its item. */
  add(name: ItemName, index: number, piece: string): string {
    const known = this.#find(name);
    const { said } = known === undefined || known.isClosed ? this.#begin(name) : known;
    said.set(index, (said.get(index) ?? "") + piece);
    return piece;
  }

  /** Returns what is new of a whole text; without `index`, of a whole item. */
  rest(name: ItemName, text: string, index?: number): string {
    const item = this.#open(name, text);
    if (item === undefined) return "";
    if (index !== undefined) return this.#say(item, index, text, item.said.get(index) ?? "");
    item.isClosed = true;
    if (this.#current === item) this.#current = undefined;
    return this.#say(item, item.said.size, text, textOf(item));
  }

  /** Returns what is new of all items at the end. */
  restOfAll(text: string): string {
    const told = this.#items.map(textOf).join("");
    return text.length > told.length ? this.#say(this.#begin({ place: undefined, id: undefined }), 0, text, told) : "";
  }

  /** What goes on in other words than were said is known already. */
  #say({ said }: Item, index: number, text: string, told: string): string {
    const rest = text.startsWith(told) ? text.slice(told.length) : "";
    said.set(index, (said.get(index) ?? "") + rest);
    return rest;
  }

  /** The item of a whole text; `undefined` if that is over. At its place, it may be followed by another one. */
  #open(name: ItemName, text: string): Item | undefined {
    const known = this.#find(name);
    if (known?.isClosed !== true) return known ?? this.#begin(name);
    return known.id === name.id || textOf(known) === text ? undefined : this.#begin(name);
  }

  #find({ place, id }: ItemName): Item | undefined {
    const current = this.#current;
    if (place === undefined && id === undefined) return current;
    const isUnnamed = current !== undefined && current.place === undefined && current.id === undefined;
    const item =
      (place === undefined ? undefined : this.#items.findLast((one) => one.place === place)) ??
      (id === undefined ? undefined : this.#items.findLast((one) => one.id === id)) ??
      (isUnnamed ? current : undefined);
    if (item === undefined) return undefined;
    item.place ??= place;
    item.id ??= id;
    return item;
  }

  #begin({ place, id }: ItemName): Item {
    if (this.#items.length >= maxItems) throw unreadable("The answer has too many texts.");
    const item: Item = { id, place, said: new Map(), isClosed: false };
    this.#items.push(item);
    this.#current = item;
    return item;
  }
}

function textOf({ said }: Item): string {
  return [...said.values()].join("");
}

function newTexts(): Readonly<Record<TextKind, Texts>> {
  return { text: new Texts(), summary: new Texts(), reasoning: new Texts() };
}
