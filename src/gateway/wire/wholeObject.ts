import { firstObject, type JsonObject, parseJson } from "../../text/json.ts";
import { GatewayError } from "../errors.ts";
import type { HttpAnswer, HttpBody } from "../network/exchange.ts";
import { type ReadOptions, unreadable } from "./answerReader.ts";
import { type Beginning, readBeginning } from "./beginning.ts";
import { checkedObject, objectOf } from "./eventObject.ts";
import { aboutPage, isPage } from "./page.ts";
import { isDone, readEvents } from "./serverSentEvents.ts";

/** Maximum length of a JSON answer, in characters: inline images are long, texts are not. */
const maxLength = 8 * 1024 * 1024;
const maxImageLength = 64 * 1024 * 1024;

/** Parses the rest of a body as a JSON object. Throws `GatewayError` otherwise, or for an error in the JSON. */
export async function wholeObject(
  { text, decoder }: Beginning,
  body: HttpBody,
  { clean, onRead }: Pick<ReadOptions, "clean" | "onRead">,
  limit = maxLength,
): Promise<JsonObject> {
  let whole = text;
  for await (const chunk of body) {
    onRead();
    whole += decoder.decode(chunk, { stream: true });
    if (whole.length > limit) break;
  }
  // A body can come in one read, and decoded ones do.
  if (whole.length > limit) throw unreadable("The answer is too long.");
  whole = (whole + decoder.decode()).trim();
  if (whole === "") throw new GatewayError("empty", "The answer is empty.", { sent: "maybe" });
  if (isPage(whole)) {
    const message = "A web page came instead of an answer.";
    throw new GatewayError("badGateway", message, { ...aboutPage(whole, clean), sent: "maybe" });
  }
  return checkedObject(parseJson(whole) ?? parseJson(firstObject(whole)), undefined, clean);
}

/**
 * Parses a whole body as a JSON object, with room for inline images. For an event stream, returns the last object.
 * Throws like `wholeObject`.
 */
export async function readObject(
  answer: HttpAnswer,
  options: Pick<ReadOptions, "clean" | "onRead">,
): Promise<JsonObject> {
  const { body } = answer;
  try {
    const beginning = await readBeginning(answer, options.onRead);
    if (!beginning.isStream) return await wholeObject(beginning, body, options, maxImageLength);
    let last: JsonObject | undefined;
    for await (const events of readEvents(beginning, body, options.onRead)) {
      for (const event of events) last = (isDone(event.data) ? last : objectOf(event, false, options.clean)) ?? last;
    }
    if (last === undefined) throw new GatewayError("empty", "The answer is empty.", { sent: "maybe" });
    return last;
  } finally {
    await body.return();
  }
}
