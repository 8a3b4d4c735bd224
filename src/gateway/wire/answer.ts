import { createParser } from "eventsource-parser";
import { type JsonObject, parseJson } from "../../text/json.ts";
import { GatewayError, unreadable } from "../errors.ts";
import type { HttpAnswer, HttpBody } from "../network/exchange.ts";
import type { AnswerReader } from "./answerReader.ts";
import { type Beginning, checkedObject, readBeginning, restOf, textsOf, wholeObject } from "./body.ts";
import type { ContentPart } from "./ending.ts";
import { errorOf } from "./errorAnswer.ts";

/** Maximum length of an answer's text, in characters. The longest output of a model, 128,000 tokens, has about half. */
const maxLength = 1024 * 1024;

/** Maximum length of a whole answer in JSON, in characters: inline images are long, texts are not. */
const maxBody = 8 * 1024 * 1024;
const maxImageBody = 64 * 1024 * 1024;

/** Options for reading an answer that may be a stream. */
export interface StreamOptions {
  /** Called for every chunk of the body. */
  readonly onRead: () => void;
  /** Milliseconds to wait for usage or `[DONE]` after the finish reason, and then for the end of the body. */
  readonly afterFinish: number;
}

/**
 * Reads an answer in batches as they arrive. Detects the form, event stream or JSON, from the answer itself, whatever
 * the request asked for. Throws `GatewayError` and `TransportError`.
 */
export async function* readAnswer(
  answer: HttpAnswer,
  reader: AnswerReader,
  options: StreamOptions,
): AsyncGenerator<readonly ContentPart[]> {
  const { body } = answer;
  let hasText = false;
  let length = 0;
  try {
    const beginning = await readBeginning(answer, options.onRead);
    const batches = (beginning.isStream ? streamParts : wholeParts)(beginning, body, reader, options);
    for await (const parts of batches) {
      if (parts.length === 0) continue;
      for (const part of parts) {
        hasText ||= part.type === "text";
        if (part.type === "text" || part.type === "reasoning") length += part.text.length;
      }
      if (length > maxLength) throw unreadable("The answer is too long.");
      yield parts;
    }
    const ending = reader.end();
    hasText ||= ending.some(({ type }) => type === "text" || type === "toolCall");
    if (!hasText && !reader.ending.isCut) throw new GatewayError("empty", "The answer is empty.", { sent: "maybe" });
    yield ending;
  } finally {
    await body.return();
  }
}

async function* wholeParts(
  beginning: Beginning,
  body: HttpBody,
  reader: AnswerReader,
  { onRead }: StreamOptions,
): AsyncGenerator<readonly ContentPart[]> {
  reader.read(wholeObject(await restOf(beginning, body, onRead, maxBody)));
  yield reader.take();
}

/** Reads the parts of a streamed answer, one batch per read. */
async function* streamParts(
  beginning: Beginning,
  body: HttpBody,
  reader: AnswerReader,
  { afterFinish, onRead }: StreamOptions,
): AsyncGenerator<readonly ContentPart[]> {
  const { ending } = reader;
  let hasEvents = false;
  let timer: NodeJS.Timeout | undefined;
  let patience = 0;
  const waiting = { isOver: false };
  try {
    for await (const events of readEvents(textsOf(beginning, body, onRead))) {
      hasEvents ||= events.length > 0;
      let isEnd = false;
      for (const { event, data } of events) {
        isEnd = isDone(data);
        if (isEnd) break;
        const json = objectOf(event, data, ending.isSure);
        if (json !== undefined) reader.read(json, event);
      }
      const parts = reader.take();
      yield parts;
      if (isEnd) {
        // The end of the body often arrives in a separate packet. Closing the connection before it would cost the next
        // turn a new one.
        body.linger?.(afterFinish);
        return;
      }
      if (ending.isFinished && (parts.length > 0 || patience !== ending.patience)) {
        clearTimeout(timer);
        ({ patience } = ending);
        timer = setTimeout(() => {
          waiting.isOver = true;
          void body.return();
        }, afterFinish * patience);
      }
    }
  } catch (error) {
    // Deliver the parts before a failure, even if both arrived in one read.
    if (error instanceof GatewayError) yield reader.take();
    // A connection failure after the end of the answer does not matter.
    if (!waiting.isOver && (!ending.isSure || error instanceof GatewayError)) throw error;
  } finally {
    clearTimeout(timer);
  }
  if (ending.isFinished) return;
  const kind = hasEvents ? "connectionLost" : "empty";
  throw new GatewayError(kind, "The stream ended without saying that the answer is whole.", { sent: "maybe" });
}

/** Reads a whole answer of up to `limit` characters. For an event stream, returns the last object. Closes the body. */
export async function readObject(answer: HttpAnswer, onRead: () => void, limit = maxImageBody): Promise<JsonObject> {
  const { body } = answer;
  try {
    const beginning = await readBeginning(answer, onRead);
    if (!beginning.isStream) return wholeObject(await restOf(beginning, body, onRead, limit));
    let last: JsonObject | undefined;
    for await (const events of readEvents(textsOf(beginning, body, onRead))) {
      for (const { event, data } of events) last = (isDone(data) ? last : objectOf(event, data, false)) ?? last;
    }
    if (last === undefined) throw new GatewayError("empty", "The answer is empty.", { sent: "maybe" });
    return last;
  } finally {
    await body.return();
  }
}

/** Maximum length of an event, in characters. */
const maxEventSize = 8 * 1024 * 1024;

/** A server-sent event. */
interface ServerEvent {
  readonly event?: string | undefined;
  readonly data: string;
}

/** Parses server-sent events: one array for each text that completes any, so that the reader is woken once. */
async function* readEvents(texts: AsyncIterable<string>): AsyncGenerator<readonly ServerEvent[]> {
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
function isDone(data: string): boolean {
  return data.length < 32 && /^[\s"']*\[DONE\][\s"']*$/i.test(data);
}

/**
 * Parses the JSON object in an event; `undefined` for events without meaning. Throws like `checkedObject`. Once the
 * answer is over, only errors count.
 */
function objectOf(event: string | undefined, data: string, isOver: boolean): JsonObject | undefined {
  const isObject = data.startsWith("{") || data.trimStart().startsWith("{");
  if (event === "error" && !isObject) throw errorOf(data);
  if (!isObject && (isOver || isKeepAlive(event, data))) return undefined;
  return checkedObject(parseJson(data), event);
}

/** Names of events with content. Data under another name that is not JSON is ignored. */
const contentEvents = /^(?:message|data|chunk|delta|completion|chat\.completion.*|response\..*)$/;

/** Data that say nothing. */
const keepAlive = /^(?:"?(?:ping|pong|heartbeat|keep[-_ ]?alive|)"?|null|true|false|\d+|\[\]|\[null\])$/i;

function isKeepAlive(event: string | undefined, data: string): boolean {
  if (event !== undefined && !contentEvents.test(event)) return true;
  return data.length < 32 && keepAlive.test(data.trim());
}
