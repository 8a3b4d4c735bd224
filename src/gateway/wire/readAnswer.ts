import { createParser } from "eventsource-parser";
import { asArray, asObject, type JsonObject, parseJson, parseStart } from "../../base/json.ts";
import { GatewayError, unreadable } from "../errors.ts";
import type { HttpAnswer } from "../network/exchange.ts";
import type { AnswerReader } from "./answerReader.ts";
import type { ContentPart, AnswerState } from "./answerState.ts";
import { bodyFailure, errorOf } from "./errorAnswer.ts";
import { isPage, pageDetails } from "./errorDetails.ts";
import { mediaType } from "./headers.ts";

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
 * Reads an answer in batches as they arrive. Detects the form, event stream or JSON, from the answer itself, not
 * from the request. Throws `GatewayError` and `TransportError`.
 */
export async function* readAnswer(
  answer: HttpAnswer,
  reader: AnswerReader,
  { afterFinish, onRead }: StreamOptions,
): AsyncGenerator<readonly ContentPart[]> {
  const { state } = reader;
  let last: ServerEvent | undefined;
  let timer: NodeJS.Timeout | undefined;
  let waitFactor = 0;
  const waiting = { isOver: false };
  try {
    for await (const events of readEvents(answer, onRead, maxBody)) {
      for (const one of events) {
        last = one;
        state.isDone = isDone(one.data);
        if (state.isDone) break;
        const json = one.isWhole ? onlyObject(one.data) : objectOf(one, state);
        if (json !== undefined) reader.read(json, one.event);
      }
      const parts = reader.take();
      if (parts.length > 0) yield parts;
      if (state.isDone) {
        // The end of the body often arrives in a separate packet. Closing the connection before it would cost the next
        // turn a new one.
        answer.linger(afterFinish);
        break;
      }
      if (state.isFinished && (parts.length > 0 || waitFactor !== state.waitFactor)) {
        clearTimeout(timer);
        ({ waitFactor } = state);
        timer = setTimeout(() => {
          waiting.isOver = true;
          answer.close();
        }, afterFinish * waitFactor);
      }
    }
  } catch (error) {
    // Deliver the parts before a failure, even if both arrived in one read.
    if (error instanceof GatewayError) yield reader.take();
    // A connection failure after the end of the answer does not matter.
    if (error instanceof GatewayError || !(waiting.isOver || state.isWhole)) throw error;
  } finally {
    clearTimeout(timer);
    answer.close();
  }
  if (!state.isFinished && !state.isDone && last?.isWhole !== true) {
    const kind = last === undefined ? "empty" : "connectionLost";
    throw new GatewayError(kind, "The stream ended without saying that the answer is whole.", { sent: "maybe" });
  }
  yield reader.end();
}

/** Reads a whole answer of up to `limit` characters. For an event stream, returns the last object. Closes the body. */
export async function readObject(answer: HttpAnswer, onRead: () => void, limit = maxImageBody): Promise<JsonObject> {
  let last: JsonObject | undefined;
  try {
    for await (const events of readEvents(answer, onRead, limit))
      for (const event of events) {
        if (isDone(event.data)) continue;
        last = (event.isWhole ? wholeObject(event.data).json : objectOf(event)) ?? last;
      }
  } finally {
    answer.close();
  }
  if (last === undefined) throw new GatewayError("empty", "The answer is empty.", { sent: "maybe" });
  return last;
}

/** Maximum length of an event, in characters. */
const maxEventSize = 8 * 1024 * 1024;

/** A server-sent event, or a whole body. */
interface ServerEvent {
  readonly event?: string | undefined;
  readonly data: string;
  readonly isWhole?: boolean;
}

/** Fields and comments of server-sent events, and the number of characters that identifies them. */
const eventLine = /^(?:data|event|id|retry)?:/;
const prefixLength = "retry:".length;

/**
 * Reads the events of a body, one array for each read that completes any, so that the reader is woken once. A body that is not
 * a stream, by its first characters and the content type, is one event of up to `limit` characters.
 */
async function* readEvents(
  { headers, body }: HttpAnswer,
  onRead: () => void,
  limit: number,
): AsyncGenerator<readonly ServerEvent[]> {
  const isDeclared = mediaType(headers) === "text/event-stream";
  const isStreamed = (start: string): boolean => !/^[{["<]/.test(start) && (isDeclared || eventLine.test(start));
  const decoder = new TextDecoder();
  const parse = eventParser();
  let isStream: boolean | undefined;
  let text = "";
  let length = 0;
  for await (const chunk of body) {
    onRead();
    const read = decoder.decode(chunk, { stream: true });
    if (isStream) {
      const events = parse(read);
      if (events.length > 0) yield events;
      continue;
    }
    length += read.length;
    if (length > limit) throw unreadable("The answer is too long.");
    text += read;
    if (isStream === undefined) text = text.trimStart();
    if (text.length >= prefixLength) isStream ??= isStreamed(text);
    if (isStream) yield parse(text);
  }
  text += decoder.decode();
  if (!(isStream ?? isStreamed(text))) yield [{ data: text, isWhole: true }];
  // A last event without its blank line still counts; a truncated one is dropped.
  else yield parse(`${isStream ? "" : text}\n\n`).filter(({ data }) => isDone(data) || parseJson(data) !== undefined);
}

/** A function that returns the events that each piece of a stream completes. */
function eventParser(): (piece: string) => readonly ServerEvent[] {
  let events: ServerEvent[] = [];
  const parser = createParser({
    maxBufferSize: maxEventSize,
    onEvent: (event) => {
      if (event.data !== "" || event.event === "error") events.push(event);
    },
    onError: ({ type, line = "" }) => {
      if (type === "max-buffer-size-exceeded") throw tooLong();
      // A gateway may write an error of its own as a bare line.
      if (line.startsWith("{") && parseJson(line) !== undefined) events.push({ data: line });
    },
  });
  // The parser gets whole lines, because it loses the rest of a split line that it does not know (version 4.1.3).
  let line = "";
  return (piece) => {
    const end = piece.lastIndexOf("\n") + 1 || piece.lastIndexOf("\r") + 1;
    events = [];
    if (end > 0) parser.feed(line + piece.slice(0, end));
    line = end > 0 ? piece.slice(end) : line + piece;
    if (line.length > maxEventSize) throw tooLong();
    return events;
  };
}

function tooLong(): GatewayError {
  return unreadable("An event of the stream is too long.");
}

/** Whether an event is the `[DONE]` marker, with optional whitespace and quotes. */
function isDone(data: string): boolean {
  return data.length < 32 && /^[\s"']*\[DONE\][\s"']*$/i.test(data);
}

/** The JSON object in an event; `undefined` if it has no content, or comes after the end. Throws like `checkedObject`. */
function objectOf({ event, data }: ServerEvent, state?: Pick<AnswerState, "isFinished">): JsonObject | undefined {
  const value = parseJson(data);
  const hasContent = asObject(value) !== undefined || asArray(value).length > 0;
  if (event === "error" && !hasContent) throw errorOf(data);
  const isKeepAlive = value !== undefined || keepAlive.test(data) || !contentEvents.test(event ?? "message");
  return !hasContent && (isKeepAlive || state?.isFinished) ? undefined : checkedObject(value, event);
}

/** Names of events with content. Data under another name that is not JSON is ignored. */
const contentEvents = /^(?:message|data|chunk|delta|completion|chat\.completion.*|response\..*)$/;

/** Data without content. */
const keepAlive = /^\s{0,9}(?:ping|pong|heartbeat|keep[-_ ]?alive|)\s{0,9}$/i;

/** Parses a body that may hold only one object. */
function onlyObject(text: string): JsonObject {
  const { json, rest } = wholeObject(text);
  if (rest.trimStart().startsWith("{")) throw unreadable("Several JSON objects came instead of an answer.");
  return json;
}

/** Parses the object at the beginning of a body. Throws `GatewayError`, also the one in it. */
function wholeObject(text: string): { readonly json: JsonObject; readonly rest: string } {
  const whole = text.trim();
  if (whole === "") throw new GatewayError("empty", "The answer is empty.", { sent: "maybe" });
  if (isPage(whole)) {
    const message = "A web page came instead of an answer.";
    throw new GatewayError("badGateway", message, { ...pageDetails(whole), sent: "maybe" });
  }
  const { value, rest } = parseStart(whole);
  return { json: checkedObject(value), rest };
}

/**
 * A value as the object of an answer. Throws the error in it, which may be in a list (Gemini), or one of kind `unreadable`.
 */
function checkedObject(value: unknown, event?: string): JsonObject {
  const json = asObject(value);
  const container = json ?? asObject(asArray(value)[0]);
  const failure = container && bodyFailure(container, event);
  if (failure !== undefined) throw failure;
  if (json === undefined) throw unreadable("The answer is not a JSON object, or a very large one.");
  return json;
}
