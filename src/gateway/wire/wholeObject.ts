import { firstObject, type JsonObject, parseJson } from "../../text/json.ts";
import type { Clean } from "../../text/withoutKeys.ts";
import { GatewayError } from "../errors.ts";
import type { HttpAnswer, HttpBody } from "../network/exchange.ts";
import { type ReadOptions, unreadable } from "./answerReader.ts";
import { type Beginning, readBeginning } from "./beginning.ts";
import { checkedObject, objectOf } from "./eventObject.ts";
import { JsonOutline, type Pieces } from "./inlineData.ts";
import { aboutPage, isPage } from "./page.ts";
import { isDone, readEvents } from "./serverSentEvents.ts";

/** Maximum length of a JSON answer, in characters: inline images are long, texts are not. */
const maxLength = 8 * 1024 * 1024;
const maxImageLength = 64 * 1024 * 1024;

/** Parses the rest of a body as a JSON object. Throws `GatewayError` otherwise, or for an error in the JSON. */
export async function wholeObject(
  beginning: Beginning,
  body: HttpBody,
  options: Pick<ReadOptions, "clean" | "onRead">,
): Promise<JsonObject> {
  let whole = "";
  for await (const text of textsOf(beginning, body, options.onRead, maxLength)) whole += text;
  return checkedWhole(whole, options.clean);
}

/** A whole answer, whose long strings are kept apart. */
export interface WholeAnswer {
  readonly json: JsonObject;
  /** The text that a string of the answer stands for. */
  readonly piecesOf: (text: string) => Pieces;
}

/**
 * Parses a whole body as a JSON object, with room for inline images. For an event stream, returns the last object.
 * Throws like `wholeObject`.
 */
export async function readObject(
  answer: HttpAnswer,
  options: Pick<ReadOptions, "clean" | "onRead">,
): Promise<WholeAnswer> {
  const { body } = answer;
  const outline = new JsonOutline();
  const piecesOf = (text: string): Pieces => outline.piecesOf(text);
  try {
    const beginning = await readBeginning(answer, options.onRead);
    if (!beginning.isStream) {
      for await (const text of textsOf(beginning, body, options.onRead, maxImageLength)) outline.add(text);
      return { json: checkedWhole(outline.text, options.clean), piecesOf };
    }
    let last: JsonObject | undefined;
    for await (const events of readEvents(beginning, body, options.onRead)) {
      for (const event of events) last = (isDone(event.data) ? last : objectOf(event, false, options.clean)) ?? last;
    }
    if (last === undefined) throw new GatewayError("empty", "The answer is empty.", { sent: "maybe" });
    return { json: last, piecesOf };
  } finally {
    await body.return();
  }
}

/** The texts of a body as they arrive. Throws `GatewayError` if there is more than `limit` characters. */
async function* textsOf(
  { text, decoder }: Beginning,
  body: HttpBody,
  onRead: () => void,
  limit: number,
): AsyncGenerator<string> {
  let length = 0;
  const checked = (next: string): string => {
    length += next.length;
    // A body can come in one read, and decoded ones do.
    if (length > limit) throw unreadable("The answer is too long.");
    return next;
  };
  yield checked(text);
  for await (const chunk of body) {
    onRead();
    yield checked(decoder.decode(chunk, { stream: true }));
  }
  yield checked(decoder.decode());
}

/** What follows an object is ignored: the object may be paid for. */
function checkedWhole(text: string, clean: Clean): JsonObject {
  const whole = text.trim();
  if (whole === "") throw new GatewayError("empty", "The answer is empty.", { sent: "maybe" });
  if (isPage(whole)) {
    const message = "A web page came instead of an answer.";
    throw new GatewayError("badGateway", message, { ...aboutPage(whole, clean), sent: "maybe" });
  }
  return checkedObject(parseJson(whole) ?? parseJson(firstObject(whole)), undefined, clean);
}
