import { asCount, asObject, asText, type JsonObject, keysOf } from "../../text/json.ts";
import { GatewayError } from "../errors.ts";
import { type AnswerReader, type ContentPart, Ending, readUsage, unreadable } from "./answerReader.ts";
import { contentText } from "./contentText.ts";
import { ResponseCalls } from "./responseCalls.ts";
import { itemsOf, textsIn } from "./responseItems.ts";
import { ResponseTexts, type TextName } from "./responseTexts.ts";

/**
 * Reads answers of the responses operation, whole or as events. The gateway's interface does not show their shape;
 * these are the shapes of OpenAI's API (https://platform.openai.com/docs/api-reference/responses). Events with the same
 * content may be missing or repeated; each text and call is delivered once.
 */
export function responsesReader(): AnswerReader {
  const calls = new ResponseCalls();
  const texts = new ResponseTexts();
  const ending = new Ending();
  let hasText = false;
  let isKnown = false;
  let strange: string | undefined;

  function handOn(kind: TextName["kind"], text: string | undefined): readonly ContentPart[] {
    if (text === undefined || text === "") return [];
    ending.note(true);
    if (kind !== "text") return [{ type: "reasoning", text }];
    hasText = true;
    return [{ type: "text", text }];
  }

  /** The text in an event, a piece or the whole. */
  function fromEvent(kind: TextName["kind"], event: JsonObject, isPiece: boolean): readonly ContentPart[] {
    const whole = event.part ?? event.text ?? event.refusal;
    const text = contentText(isPiece ? event.delta : whole);
    if (text === undefined) return [];
    const index = asCount(event.content_index) ?? asCount(event.summary_index) ?? 0;
    const name: TextName = { kind, id: asText(event.item_id), place: asCount(event.output_index), index };
    if (!isPiece) return handOn(kind, texts.rest(name, text));
    texts.add(name, text);
    return handOn(kind, text);
  }

  function fromItem(item: JsonObject, place: unknown): readonly ContentPart[] {
    calls.complete(item, place);
    return textsIn(item).flatMap(({ text, ...name }) =>
      handOn(name.kind, texts.rest({ ...name, id: asText(item.id), place: asCount(place) }, text)),
    );
  }

  /** A whole response: the JSON body, or the last event of a stream. */
  function fromResponse(response: JsonObject, status: string | undefined): readonly ContentPart[] {
    if (status === "failed") throw new GatewayError("serverError", "The response failed.", { sent: "maybe" });
    if (status !== undefined && unfinished.has(status)) throw unreadable("The response is not finished.");
    ending.usage = readUsage(response.usage) ?? ending.usage;
    const items = itemsOf(response.output);
    const parts = items.flatMap((item, place) => fromItem(item, place));
    if (!hasText) parts.push(...handOn("text", contentText(response.output_text)));
    const cause = asText(asObject(response.incomplete_details)?.reason);
    const isCut = status === "incomplete" || cause !== undefined || items.some((item) => item.status === "incomplete");
    const whole = calls.drafts.all.length === 0 ? "stop" : "toolCalls";
    ending.note(calls.drafts.all.length > 0);
    ending.note(false, !isCut ? whole : cause === "content_filter" ? "contentFilter" : "length");
    return parts;
  }

  function fromTyped(type: string, json: JsonObject): readonly ContentPart[] | undefined {
    const text = textEvents.get(type);
    if (text !== undefined) return fromEvent(text.kind, json, text.isPiece);
    const response = asObject(json.response) ?? {};
    switch (type) {
      case "response.output_item.added":
        calls.begin(asObject(json.item) ?? {}, json.output_index);
        return [];
      case "response.output_item.done":
        return fromItem(asObject(json.item) ?? {}, json.output_index);
      case "response.function_call_arguments.delta":
        calls.extend(json);
        return [];
      case "response.function_call_arguments.done":
        calls.completeArguments(json);
        return [];
      case "response.completed":
      case "response.done":
        // The response may be a copy of the first event's that is still in progress.
        return fromResponse(response, unfinished.has(asText(response.status) ?? "") ? undefined : statusOf(response));
      case "response.incomplete":
      case "response.failed":
      case "response.cancelled":
        return fromResponse(response, type.slice("response.".length));
      default:
        return undefined;
    }
  }

  return {
    ending,
    read(json, event) {
      const type = asText(json.type) ?? event;
      const parts = type === undefined ? undefined : fromTyped(type, json);
      isKnown ||= parts !== undefined;
      if (parts !== undefined) return parts;
      const whole = json.output == null && json.output_text == null ? asObject(json.response) : json;
      const isResponse = whole?.output != null || asText(whole?.output_text) !== undefined;
      if (whole !== undefined && isResponse && type?.startsWith("response.") !== true) {
        isKnown = true;
        return fromResponse(whole, statusOf(whole));
      }
      strange ??= keysOf(json);
      return [];
    },
    end() {
      if (!isKnown && strange !== undefined) throw unreadable(`The answer has no output but: ${strange}.`);
      const parts = calls.drafts.parts(ending.isCut);
      return [...parts, ...ending.parts(parts.length === 0 ? "stop" : "toolCalls")];
    },
  };
}

/** Statuses of an unfinished or cancelled response. */
const unfinished: ReadonlySet<string> = new Set(["in_progress", "queued", "cancelled", "canceled"]);

function statusOf({ status }: JsonObject): string | undefined {
  return asText(status)?.toLowerCase();
}

/** Events with a piece of a text or the whole. */
const textEvents: ReadonlyMap<string, { readonly kind: TextName["kind"]; readonly isPiece: boolean }> = new Map([
  ["response.output_text.delta", { kind: "text", isPiece: true }],
  ["response.output_text.done", { kind: "text", isPiece: false }],
  ["response.refusal.delta", { kind: "text", isPiece: true }],
  ["response.refusal.done", { kind: "text", isPiece: false }],
  ["response.content_part.done", { kind: "text", isPiece: false }],
  ["response.reasoning_text.delta", { kind: "reasoning", isPiece: true }],
  ["response.reasoning_text.done", { kind: "reasoning", isPiece: false }],
  ["response.reasoning_summary_text.delta", { kind: "summary", isPiece: true }],
  ["response.reasoning_summary_text.done", { kind: "summary", isPiece: false }],
]);
