import { GatewayError } from "../errors.ts";
import type { HttpAnswer, HttpBody } from "../network/exchange.ts";
import { bodyFailure, pageTitle } from "./answerFailure.ts";
import type { AnswerReader, ContentPart } from "./answerReader.ts";
import { readText } from "./body.ts";
import { mediaType } from "./headers.ts";
import { asObject, type JsonObject, parseJson } from "./json.ts";
import { readEvents } from "./sse.ts";

/** The longest answer in one piece, in bytes; inline images are the largest. */
const bodyLimit = 64 * 1024 * 1024;

/** How an answer is read. */
export interface ReadOptions {
  /** Milliseconds to wait for usage or `[DONE]` once the answer has said that it is over, and for the body's end after it. */
  readonly afterFinish: number;
  /** Called for every piece of the body. */
  readonly onRead: () => void;
}

/**
 * The content of an answer, in batches as they arrive. It is read by what it is, a stream of events or one JSON body,
 * not by what was asked for. Throws `GatewayError` and `TransportError`.
 */
export async function* readAnswer(
  answer: HttpAnswer,
  reader: AnswerReader,
  options: ReadOptions,
): AsyncGenerator<readonly ContentPart[]> {
  let hasContent = false;
  const isStream = mediaType(answer.headers) === "text/event-stream";
  const batches = isStream ? eventParts(answer.body, reader, options) : wholeParts(answer.body, reader);
  for await (const parts of batches) {
    hasContent ||= parts.length > 0;
    yield parts;
  }
  const ending = reader.end();
  const isUseless = !hasContent && ending.every(({ type }) => type !== "toolCall");
  if (isUseless && ending.some((part) => part.type === "finish" && part.reason === "stop")) {
    throw new GatewayError("empty", "The answer is empty.", { sent: "maybe" });
  }
  yield ending;
}

/** The JSON object that a body is. Throws `GatewayError` for anything else, an error in JSON included. */
export async function readObject(body: HttpBody): Promise<JsonObject> {
  const text = (await readText(body, bodyLimit))?.trim();
  if (text === "") throw new GatewayError("empty", "The answer is empty.", { sent: "maybe" });
  if (text?.startsWith("<")) {
    const said = pageTitle(text);
    throw new GatewayError("badGateway", "A web page came instead of an answer.", { said, sent: "maybe" });
  }
  return checked(parseJson(text ?? ""));
}

async function* wholeParts(body: HttpBody, reader: AnswerReader): AsyncGenerator<readonly ContentPart[]> {
  yield reader.read(await readObject(body));
}

async function* eventParts(
  body: HttpBody,
  reader: AnswerReader,
  { afterFinish, onRead }: ReadOptions,
): AsyncGenerator<readonly ContentPart[]> {
  let hasEvents = false;
  let timer: NodeJS.Timeout | undefined;
  try {
    for await (const events of readEvents(body, onRead)) {
      hasEvents = true;
      const end = events.indexOf("[DONE]");
      const parts: ContentPart[] = [];
      let failure: GatewayError | undefined;
      try {
        for (const event of end < 0 ? events : events.slice(0, end)) {
          for (const part of reader.read(checked(parseJson(event)))) append(parts, part);
        }
      } catch (error) {
        if (!(error instanceof GatewayError)) throw error;
        failure = error;
      }
      // What came before a failure is handed on whether or not both came in one read.
      if (parts.length > 0) yield parts;
      if (failure !== undefined) throw failure;
      if (end >= 0) {
        // The body's own end often comes in a packet of its own; a connection closed before it is lost for the next turn.
        body.linger?.(afterFinish);
        return;
      }
      if (reader.isFinished) timer ??= setTimeout(() => void body.return(), afterFinish);
    }
  } catch (error) {
    // Whatever happens to the connection after the end of the answer does not make it less whole.
    if (!reader.isFinished || error instanceof GatewayError) throw error;
  } finally {
    clearTimeout(timer);
    await body.return();
  }
  if (reader.isFinished) return;
  const kind = hasEvents ? "connectionLost" : "empty";
  throw new GatewayError(kind, "The stream ended without saying that the answer is whole.", { sent: "maybe" });
}

/** Adds a part. Text that came in one read is handed on in one piece: a screen shows no step between its chunks. */
function append(parts: ContentPart[], part: ContentPart): void {
  const last = parts.at(-1);
  if (part.type === "text" && last?.type === "text") parts[parts.length - 1] = joined(last, part);
  else if (part.type === "reasoning" && last?.type === "reasoning") parts[parts.length - 1] = joined(last, part);
  else parts.push(part);
}

function joined<T extends { readonly text: string }>(before: T, after: T): T {
  return { ...after, text: before.text + after.text };
}

/** The value if it is a JSON object and no error. */
function checked(value: unknown): JsonObject {
  const json = asObject(value);
  if (json === undefined) throw new GatewayError("unreadable", "The answer is not a JSON object.", { sent: "maybe" });
  const failure = bodyFailure(json);
  if (failure !== undefined) throw failure;
  return json;
}
