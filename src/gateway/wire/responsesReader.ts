import { asArray, asCount, asObject, asText, type JsonObject } from "../../base/json.ts";
import { GatewayError, unreadable } from "../errors.ts";
import type { AnswerItems } from "../types.ts";
import { AnswerReader, contentText, type TextKind, textKinds } from "./answerReader.ts";
import { type ContentPart, readUsage } from "./answerState.ts";
import { meaningOf } from "./finishReasons.ts";
import { ReturnedItems } from "./returnedItems.ts";
import { type CallPiece, ToolCalls } from "./toolCalls.ts";

/**
 * Reads answers of the Responses API, whole or as events. The gateway's interface does not show their shape; these are the
 * shapes of OpenAI's API (https://platform.openai.com/docs/api-reference/responses). Any event may be missing or repeat the
 * content of others; each text and call is delivered once.
 */
export class ResponsesReader extends AnswerReader {
  protected readonly field = "output";
  readonly #source: AnswerSource | undefined;
  /** Whether text has come of an item that has not ended. */
  readonly #isOpen: Record<TextKind, boolean> = { reasoning: false, text: false };
  /** The texts of the items that have ended. */
  readonly #ended = new Set<string>();
  readonly #items = new ReturnedItems();
  /** Whether an item is truncated. The response at the end may say why, or be missing. */
  #hasCutItem = false;

  /**
   * `source`: the origin of the answer. If it is given, items with reasoning become a part of the answer, for the next
   * request.
   */
  constructor(source?: AnswerSource) {
    super();
    this.#source = source;
  }

  override end(): readonly ContentPart[] {
    if (this.#hasCutItem) this.state.record(false, "length");
    const parts = super.end();
    const items = this.#items.all;
    const isCalling = parts.some(({ type }) => type === "toolCall");
    if (this.#source === undefined || !isCalling || items.length === 0) return parts;
    return [{ type: "items", items: { ...this.#source, items } }, ...parts];
  }

  read(json: JsonObject, event?: string): void {
    const { state } = this;
    const type = asText(json.type) ?? event;
    if (type !== undefined && this.#readTyped(type, json)) {
      state.hasApiShape = true;
      return;
    }
    const isResponse = json.output != null || asText(json.output_text) !== undefined;
    if (isResponse && type?.startsWith("response.") !== true) {
      state.hasApiShape = true;
      this.#readResponse(json, statusOf(json));
    } else if (json.usage != null) state.usage = readUsage(json.usage) ?? state.usage;
    // Other types of events are ignored.
    else if (type === undefined || !state.hasApiShape) state.recordUnknownObject(json);
  }

  protected override emit(kind: TextKind, text: string): void {
    if (text !== "") this.state.record(true);
    super.emit(kind, text);
  }

  /** Returns whether events of this type have content. */
  #readTyped(type: string, json: JsonObject): boolean {
    const text =
      /^response\.(output_text|refusal|content_part|reasoning_text|reasoning_summary_text)\.(delta|done)$/.exec(type);
    if (text) this.#readText(text[1]?.startsWith("reasoning") ? "reasoning" : "text", text[2] === "delta", json);
    const response = asObject(json.response) ?? {};
    const status = statusOf(response);
    switch (type) {
      case "response.reasoning_summary_part.added":
        if (this.received.reasoning !== "") this.emit("reasoning", betweenThoughts);
        return true;
      case "response.output_item.added":
        for (const call of callsIn([json.item], json.output_index)) this.calls.add({ ...call, input: undefined }, true);
        return true;
      case "response.output_item.done":
        for (const call of callsIn([json.item], json.output_index)) this.calls.addWhole(call);
        this.#readItem(asObject(json.item) ?? {}, json.output_index);
        this.#items.add(json.item);
        return true;
      case "response.function_call_arguments.delta":
        this.calls.add(callOf(json, json.delta), true);
        return true;
      case "response.function_call_arguments.done":
        this.calls.addWhole(callOf(json, json.arguments));
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

  /** The text in an event: a piece, or a whole, which counts only if no piece has come. */
  #readText(kind: TextKind, isPiece: boolean, event: JsonObject): void {
    const text = contentText(isPiece ? event.delta : (event.part ?? event.text ?? event.refusal));
    if (text === undefined || (!isPiece && this.#isOpen[kind])) return;
    if (!isPiece && this.#ended.has(keyOf(kind, text, event.output_index, event.item_id))) return;
    this.#isOpen[kind] = true;
    this.emit(kind, text);
  }

  #readItem(item: JsonObject, index: unknown): void {
    this.#hasCutItem ||= item.status === "incomplete";
    for (const kind of textKinds) {
      const text = textIn(item, kind);
      const key = keyOf(kind, text, index, item.id);
      if (text === "" || this.#ended.has(key)) continue;
      this.#ended.add(key);
      if (!this.#isOpen[kind]) this.emit(kind, text);
      this.#isOpen[kind] = false;
    }
  }

  /** A whole response: the JSON body, or the last event of a stream. */
  #readResponse(response: JsonObject, status: string | undefined): void {
    const { state } = this;
    const cause = asText(asObject(response.incomplete_details)?.reason);
    const isFiltered = cause !== undefined && meaningOf(cause) === "contentFilter";
    if (status !== undefined && unfinished.has(status)) throw unreadable("The response is not finished.");
    state.usage = readUsage(response.usage) ?? state.usage;
    const items = asArray(response.output).map((item) => asObject(item) ?? {});
    this.#items.complete(response.output);
    for (const kind of textKinds) {
      const text = items.map((item) => textIn(item, kind)).join("");
      const received = this.received[kind];
      // What events did not bring. A text that differs from theirs is ignored.
      if (text.startsWith(received)) this.emit(kind, text.slice(received.length));
    }
    if (this.received.text === "") this.emit("text", contentText(response.output_text) ?? "");
    this.#readCalls(items);
    if (!this.calls.isEmpty) state.record(true);
    if (status === "failed" && !isFiltered)
      throw new GatewayError("serverError", "The response failed.", { sent: "maybe" });
    const isCut = status === "incomplete" || cause !== undefined || items.some((item) => item.status === "incomplete");
    if (isCut) state.record(false, cause ?? "length");
    else if (status !== undefined && status !== "completed") state.record(false, status);
    else state.record(false, this.calls.isEmpty ? "stop" : "tool_calls");
  }

  /** The calls of a whole response count if events brought fewer. */
  #readCalls(items: readonly JsonObject[]): void {
    const whole = new ToolCalls();
    for (const [index, call] of callsIn(items).entries()) whole.addWhole({ ...call, index });
    if (whole.size > this.calls.size) this.calls = whole;
  }
}

type AnswerSource = Pick<AnswerItems, "entry" | "model">;

/** Statuses of an unfinished or cancelled response. */
const unfinished: ReadonlySet<string> = new Set(["in_progress", "queued", "cancelled", "canceled"]);

function statusOf({ status }: JsonObject): string | undefined {
  return asText(status)?.toLowerCase();
}

/** Each part of a summary begins with a title. */
const betweenThoughts = "\n\n";

/** The text of one kind in an item. Items that repeat the input have none. */
function textIn({ type, role, content, summary }: JsonObject, kind: TextKind): string {
  const isOwn = role == null || role === "assistant";
  if (!isOwn || kind !== (type === "reasoning" ? "reasoning" : "text")) return "";
  if (kind === "text") return contentText(content) ?? "";
  // Reasoning parts have types of their own.
  const pieces = [...asArray(summary), ...asArray(content)];
  return pieces.flatMap((piece) => asText(asObject(piece)?.text) ?? []).join(betweenThoughts);
}

/** Identifies the text of an item among those of others. */
function keyOf(kind: TextKind, text: string, index: unknown, id: unknown): string {
  return JSON.stringify([kind, asCount(index), asText(id), text]);
}

/** The calls among items. `index`: the position of a single one. */
function callsIn(items: readonly unknown[], index?: unknown): readonly CallPiece[] {
  return items
    .map((one) => asObject(one) ?? {})
    .filter(({ type }) => type === "function_call")
    .map(({ id, call_id, name, arguments: input }) =>
      callOf({ call_id: asText(call_id) ?? id, item_id: id, name, output_index: index }, input),
    );
}

/** The piece of a call in an event. */
function callOf({ call_id, item_id, name, output_index }: JsonObject, input: unknown): CallPiece {
  return { id: asText(call_id), itemId: asText(item_id), name: asText(name), index: asCount(output_index), input };
}
