import { createParser } from "eventsource-parser";
import { TextDecoder } from "node:util";
import { asArray, asObject, type JsonObject, parseJson, parseStart } from "../../base/json.ts";
import { GatewayError, unreadable } from "../errors.ts";
import type { HttpAnswer, HttpBody } from "../network/exchange.ts";
import type { AnswerReader } from "./answerReader.ts";
import type { ContentPart, Ending } from "./ending.ts";
import { bodyFailure, errorOf } from "./errorAnswer.ts";
import { isPage, pageDetails } from "./errorDetails.ts";
import { mediaType } from "./headers.ts";

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
  /** Called with an unknown finish reason, if the answer is whole nevertheless. */
  readonly onUnknownReason?: (reason: string) => void;
}

/**
 * Reads an answer in batches as they arrive. Detects the form, event stream or JSON, from the answer itself, not
 * from the request. Throws `GatewayError` and `TransportError`.
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
    const { isCut, unknownReason } = reader.ending;
    if (!hasText && !isCut) throw new GatewayError("empty", "The answer is empty.", { sent: "maybe" });
    if (unknownReason !== undefined) options.onUnknownReason?.(unknownReason);
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
  const { json, rest } = wholeObject(await restOf(beginning, body, onRead, maxBody));
  if (rest.trimStart().startsWith("{")) throw unreadable("Several JSON objects came instead of an answer.");
  reader.read(json);
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
  let waitFactor = 0;
  const waiting = { isOver: false };
  try {
    for await (const events of readEvents(textsOf(beginning, body, onRead))) {
      hasEvents ||= events.length > 0;
      let isEnd = false;
      for (const { event, data } of events) {
        isEnd = isDone(data);
        if (isEnd) break;
        const json = objectOf(event, data, ending);
        if (json !== undefined) reader.read(json, event);
      }
      const parts = reader.take();
      yield parts;
      if (isEnd) {
        ending.isDone = true;
        // The end of the body often arrives in a separate packet. Closing the connection before it would cost the next
        // turn a new one.
        body.linger?.(afterFinish);
        return;
      }
      if (ending.isFinished && (parts.length > 0 || waitFactor !== ending.waitFactor)) {
        clearTimeout(timer);
        ({ waitFactor } = ending);
        timer = setTimeout(() => {
          waiting.isOver = true;
          void body.return();
        }, afterFinish * waitFactor);
      }
    }
  } catch (error) {
    // Deliver the parts before a failure, even if both arrived in one read.
    if (error instanceof GatewayError) yield reader.take();
    // A connection failure after the end of the answer does not matter.
    if (!waiting.isOver && (!ending.isFinal || error instanceof GatewayError)) throw error;
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
    if (!beginning.isStream) return wholeObject(await restOf(beginning, body, onRead, limit)).json;
    let last: JsonObject | undefined;
    for await (const events of readEvents(textsOf(beginning, body, onRead))) {
      for (const { event, data } of events) last = (isDone(data) ? last : objectOf(event, data)) ?? last;
    }
    if (last === undefined) throw new GatewayError("empty", "The answer is empty.", { sent: "maybe" });
    return last;
  } finally {
    await body.return();
  }
}

/** Maximum length of an event, in characters. */
const maxEventSize = 8 * 1024 * 1024;

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
      if (type === "max-buffer-size-exceeded") throw tooLong();
      // Errors of llama.cpp have a field of their own, and those of servers in front may be a bare line.
      if (field === "error") events.push({ event: "error", data: value ?? "" });
      else if (line.startsWith("{") && parseJson(line) !== undefined) events.push({ data: line });
    },
  });
  // The parser gets whole lines, because it loses the rest of a split line that it does not know (version 4.1.3).
  let line = "";
  for await (const text of texts) {
    const end = text.lastIndexOf("\n") + 1 || text.lastIndexOf("\r") + 1;
    if (end > 0) parser.feed(line + text.slice(0, end));
    line = end > 0 ? text.slice(end) : line + text;
    if (line.length > maxEventSize) throw tooLong();
    if (events.length === 0) continue;
    yield events;
    events = [];
  }
  // A last event without its blank line still counts; a truncated one is dropped.
  parser.feed(`${line}\n\n`);
  yield events.filter(({ data }) => isDone(data) || parseJson(data) !== undefined);
}

function tooLong(): GatewayError {
  return unreadable("An event of the stream is too long.");
}

/** Whether an event is the `[DONE]` marker, with optional whitespace and quotes. */
function isDone(data: string): boolean {
  return data.length < 32 && /^[\s"']*\[DONE\][\s"']*$/i.test(data);
}

/** The JSON object in an event; `undefined` if it has no content, or comes after the end. Throws like `checkedObject`. */
function objectOf(event: string | undefined, data: string, ending?: Pick<Ending, "isFinal">): JsonObject | undefined {
  const isObject = data.startsWith("{") || data.trimStart().startsWith("{");
  if (event === "error" && !isObject) throw errorOf(data);
  if (!isObject && (ending?.isFinal || isKeepAlive(event, data))) return undefined;
  return checkedObject(parseJson(data), event);
}

/** Names of events with content. Data under another name that is not JSON is ignored. */
const contentEvents = /^(?:message|data|chunk|delta|completion|chat\.completion.*|response\..*)$/;

/** Data without content. */
const keepAlive = /^(?:"?(?:ping|pong|heartbeat|keep[-_ ]?alive|)"?|null|true|false|\d+|\[\]|\[null\])$/i;

function isKeepAlive(event: string | undefined, data: string): boolean {
  if (event !== undefined && !contentEvents.test(event)) return true;
  return data.length < 32 && keepAlive.test(data.trim());
}

/** The beginning of a body. */
interface Beginning {
  /** The text so far, without byte order mark and leading whitespace. */
  readonly text: string;
  /** Decoder for the rest. */
  readonly decoder: TextDecoder;
  readonly isStream: boolean;
}

/** Fields and comments of server-sent events, and the number of characters that identifies them. */
const eventLine = /^(?:data|event|id|retry)?:/;
const prefixLength = "retry:".length;

/** Reads the beginning of a body, and detects its form by the first characters and the content type. */
async function readBeginning({ headers, body }: HttpAnswer, onRead: () => void): Promise<Beginning> {
  const isDeclared = mediaType(headers) === "text/event-stream";
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for (;;) {
    const next = await body.next();
    onRead();
    size += next.value?.length ?? 0;
    text = (text + (next.done ? decoder.decode() : decoder.decode(next.value, { stream: true }))).trimStart();
    if (text.length >= prefixLength || next.done) {
      const isStream = !/^[{["<]/.test(text) && (isDeclared || eventLine.test(text));
      return { text, decoder, isStream };
    }
    if (size > maxBody) throw unreadable("The answer is blank.");
  }
}

/** The texts of a body as they arrive. */
async function* textsOf({ text, decoder }: Beginning, body: HttpBody, onRead: () => void): AsyncGenerator<string> {
  yield text;
  for (let next = await body.next(); next.done !== true; next = await body.next()) {
    onRead();
    yield decoder.decode(next.value, { stream: true });
  }
  yield decoder.decode();
}

/** Reads the rest of a body. Throws `GatewayError` if it is longer than `limit` characters. */
async function restOf(beginning: Beginning, body: HttpBody, onRead: () => void, limit: number): Promise<string> {
  let whole = "";
  for await (const text of textsOf(beginning, body, onRead)) {
    whole += text;
    if (whole.length > limit) throw unreadable("The answer is too long.");
  }
  return whole;
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

/** A value as the object of an answer. Throws the error in it, also in a list (Gemini), or one of kind `unreadable`. */
function checkedObject(value: unknown, event?: string): JsonObject {
  const json = asObject(value);
  const container = json ?? asObject(asArray(value)[0]);
  const failure = container && bodyFailure(container, event);
  if (failure !== undefined) throw failure;
  if (json === undefined) throw unreadable("The answer is not a JSON object, or a very large one.");
  return json;
}
