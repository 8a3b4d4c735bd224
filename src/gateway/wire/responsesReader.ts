import { asArray, asCount, asObject, asText, type JsonObject } from "../../text/json.ts";
import { GatewayError } from "../errors.ts";
import { type AnswerReader, type ContentPart, Ending, readUsage, unreadable } from "./answerReader.ts";
import { contentText } from "./contentText.ts";
import { meaningOf } from "./finishReasons.ts";
import { type ItemName, type Level, ResponseTexts } from "./responseTexts.ts";
import { type Fragment, ToolCalls } from "./toolCalls.ts";
import { ToldText } from "./toldText.ts";

/** The kinds of text in a response. The last two are parts of its reasoning. */
type TextKind = "text" | "summary" | "reasoning";

/**
 * Reads answers of the responses operation, whole or as events. The gateway's interface does not show their shape;
 * these are the shapes of OpenAI's API (https://platform.openai.com/docs/api-reference/responses). Events with the same
 * content may be missing or repeated; each text and call is delivered once.
 */
export function responsesReader(): AnswerReader {
  return new ResponsesReader();
}

class ResponsesReader implements AnswerReader {
  readonly ending = new Ending();
  readonly #calls = new ToolCalls();
  readonly #told = new ToldText();
  #texts = newTexts();
  #id: string | undefined;

  read(json: JsonObject, event?: string): readonly ContentPart[] {
    const type = asText(json.type) ?? event;
    const parts = type === undefined ? undefined : this.#fromTyped(type, json);
    if (parts !== undefined) {
      this.ending.noteKnown();
      return parts;
    }
    const whole = json.output == null && json.output_text == null ? asObject(json.response) : json;
    const isResponse = whole?.output != null || asText(whole?.output_text) !== undefined;
    if (whole !== undefined && isResponse && type?.startsWith("response.") !== true) {
      this.ending.noteKnown();
      return this.#fromResponse(whole, statusOf(whole));
    }
    // Events have types, and there may be more of them than are read here.
    if (json.usage != null) this.ending.usage = readUsage(json.usage) ?? this.ending.usage;
    else if (type === undefined || !this.ending.isKnown) this.ending.noteStrange(json);
    return [];
  }

  end(): readonly ContentPart[] {
    const text = this.#told.end();
    this.ending.check("output");
    const parts = this.#calls.parts(this.ending.isCut);
    const left: readonly ContentPart[] = text === "" ? [] : [{ type: "text", text }];
    return [...left, ...parts, ...this.ending.parts(parts.length === 0 ? "stop" : "toolCalls")];
  }

  #fromTyped(type: string, json: JsonObject): readonly ContentPart[] | undefined {
    const text = textEvents.get(type);
    if (text !== undefined) return this.#fromText(text, json);
    const response = asObject(json.response) ?? {};
    switch (type) {
      case "response.created":
        this.#begin(asText(response.id));
        return undefined;
      case "response.output_item.added":
        for (const call of callsIn([json.item], json.output_index))
          this.#calls.add({ ...call, input: undefined }, true);
        return [];
      case "response.output_item.done":
        this.#calls.complete(callsIn([json.item], json.output_index));
        return this.#fromItem(asObject(json.item) ?? {}, json.output_index);
      case "response.function_call_arguments.delta":
        this.#calls.add(fragmentOf(json, json.delta), true);
        return [];
      case "response.function_call_arguments.done":
        this.#calls.complete([fragmentOf(json, json.arguments)]);
        return [];
      case "response.completed":
      case "response.done":
        // The response may be a copy of the first event's that is still in progress.
        return this.#fromResponse(response, unfinished.has(statusOf(response) ?? "") ? undefined : statusOf(response));
      case "response.incomplete":
      case "response.failed":
      case "response.cancelled":
        return this.#fromResponse(response, type.slice("response.".length));
      default:
        return undefined;
    }
  }

  /** A gateway that loses its upstream may send another response in the same stream. */
  #begin(id: string | undefined): void {
    if (this.#id !== undefined && id !== this.#id) {
      this.#told.startOver();
      this.#calls.startOver();
      this.#texts = newTexts();
    }
    this.#id = id ?? this.#id;
  }

  /** The text in an event, a piece or the whole. */
  #fromText({ kind, level }: TextEvent, event: JsonObject): readonly ContentPart[] {
    const text = contentText(level === "piece" ? event.delta : (event.part ?? event.text ?? event.refusal));
    if (text === undefined) return [];
    const name = { id: asText(event.item_id), place: asCount(event.output_index) };
    const texts = this.#texts[kind];
    const index = asCount(event.content_index) ?? asCount(event.summary_index) ?? 0;
    if (level !== "piece") return this.#tell(kind, texts.rest(name, level, index, text));
    texts.add(name, text);
    return this.#tell(kind, text);
  }

  #fromItem(item: JsonObject, place: unknown): readonly ContentPart[] {
    const name: ItemName = { id: asText(item.id), place: asCount(place) };
    return textKinds.flatMap((kind) => {
      const text = textIn(item, kind);
      return text === "" ? [] : this.#tell(kind, this.#texts[kind].rest(name, 2, 0, text));
    });
  }

  /** A whole response: the JSON body, or the last event of a stream. */
  #fromResponse(response: JsonObject, status: string | undefined): readonly ContentPart[] {
    const { ending } = this;
    const cause = asText(asObject(response.incomplete_details)?.reason);
    const isFiltered = cause !== undefined && meaningOf(cause) === "contentFilter";
    if (status !== undefined && unfinished.has(status)) throw unreadable("The response is not finished.");
    ending.usage = readUsage(response.usage) ?? ending.usage;
    const items = itemsOf(response.output);
    const parts = textKinds.flatMap((kind) => {
      const texts = items.map((item) => ({ id: asText(item.id), text: textIn(item, kind) }));
      return this.#tell(kind, this.#texts[kind].restOfAll(texts.filter(({ text }) => text !== "")));
    });
    if (this.#told.text === "") parts.push(...this.#tell("text", contentText(response.output_text) ?? ""));
    this.#calls.complete(callsIn(items));
    if (!this.#calls.isEmpty) ending.note(true);
    const isCut = status === "incomplete" || cause !== undefined || items.some((item) => item.status === "incomplete");
    if (status === "failed" && !isFiltered)
      throw new GatewayError("serverError", "The response failed.", { sent: "maybe" });
    if (isCut) ending.note(false, cause ?? "length");
    else if (status !== undefined && status !== "completed") ending.note(false, status);
    else ending.note(false, this.#calls.isEmpty ? "stop" : "tool_calls");
    return parts;
  }

  #tell(kind: TextKind, text: string): readonly ContentPart[] {
    if (text === "") return [];
    this.ending.note(true);
    if (kind !== "text") return this.#told.isRepeated ? [] : [{ type: "reasoning", text }];
    const piece = this.#told.add(text);
    return piece === "" ? [] : [{ type: "text", text: piece }];
  }
}

/** Statuses of an unfinished or cancelled response. */
const unfinished: ReadonlySet<string> = new Set(["in_progress", "queued", "cancelled", "canceled"]);

function statusOf({ status }: JsonObject): string | undefined {
  return asText(status)?.toLowerCase();
}

const textKinds: readonly TextKind[] = ["summary", "reasoning", "text"];

function newTexts(): Readonly<Record<TextKind, ResponseTexts>> {
  return { text: new ResponseTexts(), summary: new ResponseTexts(), reasoning: new ResponseTexts() };
}

interface TextEvent {
  readonly kind: TextKind;
  readonly level: "piece" | Level;
}

/** Events with a piece of a text or the whole. */
const textEvents: ReadonlyMap<string, TextEvent> = new Map([
  ["response.output_text.delta", { kind: "text", level: "piece" }],
  ["response.output_text.done", { kind: "text", level: 0 }],
  ["response.refusal.delta", { kind: "text", level: "piece" }],
  ["response.refusal.done", { kind: "text", level: 0 }],
  ["response.content_part.done", { kind: "text", level: 1 }],
  ["response.reasoning_text.delta", { kind: "reasoning", level: "piece" }],
  ["response.reasoning_text.done", { kind: "reasoning", level: 0 }],
  ["response.reasoning_summary_text.delta", { kind: "summary", level: "piece" }],
  ["response.reasoning_summary_text.done", { kind: "summary", level: 0 }],
]);

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
  return items.flatMap((one) => {
    const item = asObject(one) ?? {};
    if (item.type !== "function_call") return [];
    const ids = { id: asText(item.call_id) ?? asText(item.id), itemId: asText(item.id) };
    return [{ ...ids, name: asText(item.name), place: asCount(place), input: item.arguments }];
  });
}

/** What an event tells of a call's arguments. */
function fragmentOf(event: JsonObject, input: unknown): Fragment {
  const { call_id, item_id, name, output_index } = event;
  return { id: asText(call_id), itemId: asText(item_id), name: asText(name), place: asCount(output_index), input };
}
