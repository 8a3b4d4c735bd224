import { createParser } from "eventsource-parser";
import { type JsonObject, parseJson } from "../../text/json.ts";
import type { Clean } from "../../text/withoutKeys.ts";
import { unreadable } from "../errors.ts";
import { checkedObject } from "./body.ts";
import { errorOf } from "./errorAnswer.ts";

/** Maximum length of an event, in characters. */
const maxEventSize = 8 * 1024 * 1024;

/** A server-sent event. */
interface ServerEvent {
  readonly event?: string | undefined;
  readonly data: string;
}

/** Parses server-sent events: one array for each text that completes any, so that the reader is woken once. */
export async function* readEvents(texts: AsyncIterable<string>): AsyncGenerator<readonly ServerEvent[]> {
  let events: ServerEvent[] = [];
  const parser = createParser({
    maxBufferSize: maxEventSize,
    onEvent: (event) => {
      if (event.data !== "" || event.event === "error") events.push(event);
    },
    onError: ({ type, field, value, line = "" }) => {
      if (type === "max-buffer-size-exceeded") throw unreadable("An event of the stream is too long.");
      // Errors of llama.cpp have a field of their own, and those of servers in front may be a bare line.
      if (field === "error") events.push({ event: "error", data: value ?? "" });
      else if (line.startsWith("{") && parseJson(line) !== undefined) events.push({ data: line });
    },
  });
  for await (const text of texts) {
    parser.feed(text);
    if (events.length === 0) continue;
    yield events;
    events = [];
  }
  // A last event without its blank line still counts; a truncated one is dropped.
  parser.feed("\n\n");
  yield events.filter(({ data }) => isDone(data) || parseJson(data) !== undefined);
}

/** Whether an event is the `[DONE]` marker, with optional whitespace and quotes. */
export function isDone(data: string): boolean {
  return data.length < 32 && /^[\s"']*\[DONE\][\s"']*$/i.test(data);
}

/**
 * Parses the JSON object in an event; `undefined` for events without meaning. Throws like `checkedObject`. Once the
 * answer is over, only errors count.
 */
export function objectOf(
  event: string | undefined,
  data: string,
  isOver: boolean,
  clean: Clean,
): JsonObject | undefined {
  const isObject = data.startsWith("{") || data.trimStart().startsWith("{");
  if (event === "error" && !isObject) throw errorOf(data, clean);
  if (!isObject && (isOver || isKeepAlive(event, data))) return undefined;
  return checkedObject(parseJson(data), event, clean);
}

/** Names of events with content. Data under another name that is not JSON is ignored. */
const contentEvents = /^(?:message|data|chunk|delta|completion|chat\.completion.*|response\..*)$/;

/** Data that say nothing. */
const keepAlive = /^(?:"?(?:ping|pong|heartbeat|keep[-_ ]?alive|)"?|null|true|false|\d+|\[\]|\[null\])$/i;

function isKeepAlive(event: string | undefined, data: string): boolean {
  if (event !== undefined && !contentEvents.test(event)) return true;
  return data.length < 32 && keepAlive.test(data.trim());
}
