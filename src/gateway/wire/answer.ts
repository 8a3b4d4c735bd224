import { GatewayError } from "../errors.ts";
import type { HttpAnswer } from "../network/exchange.ts";
import { type AnswerReader, type ContentPart, type ReadOptions, unreadable } from "./answerReader.ts";
import { readBeginning } from "./beginning.ts";
import { eventParts } from "./eventParts.ts";
import { wholeObject } from "./wholeObject.ts";

/** Maximum length of an answer's text, in characters. The longest output of a model, 128,000 tokens, has about half. */
const maxLength = 1024 * 1024;

/**
 * Reads an answer in batches as they arrive. Detects the form, event stream or JSON, from the answer itself, whatever
 * the request asked for. Throws `GatewayError` and `TransportError`.
 */
export async function* readAnswer(
  answer: HttpAnswer,
  reader: AnswerReader,
  options: ReadOptions,
): AsyncGenerator<readonly ContentPart[]> {
  const { body } = answer;
  let isHandedOn = false;
  let hasText = false;
  let length = 0;
  try {
    const beginning = await readBeginning(answer, options.onRead);
    const batches = beginning.isStream
      ? eventParts(beginning, body, reader, options)
      : wholeParts(wholeObject(beginning, body, options), reader);
    for await (const parts of batches) {
      for (const part of parts) {
        hasText ||= part.type === "text";
        if (part.type === "text" || part.type === "reasoning") length += part.text.length;
      }
      if (length > maxLength) throw unreadable("The answer is too long.");
      isHandedOn = true;
      yield parts;
    }
    const ending = reader.end();
    if (!hasText && isOfNoUse(ending)) throw new GatewayError("empty", "The answer is empty.", { sent: "maybe" });
    yield ending;
  } catch (error) {
    throw isHandedOn ? brokenOff(error) : error;
  } finally {
    await body.return();
  }
}

async function* wholeParts(
  json: ReturnType<typeof wholeObject>,
  reader: AnswerReader,
): AsyncGenerator<readonly ContentPart[]> {
  const parts = reader.read(await json);
  if (parts.length > 0) yield parts;
}

/** Whether an answer claims to be complete but has neither text nor tool calls. */
function isOfNoUse(ending: readonly ContentPart[]): boolean {
  const isCut = (part: ContentPart): boolean =>
    part.type === "finish" && (part.reason === "length" || part.reason === "contentFilter");
  return !ending.some((part) => part.type === "toolCall" || isCut(part));
}

/** Converts an unreadable rest, after parts were delivered, to an interrupted answer. */
function brokenOff(error: unknown): unknown {
  if (!(error instanceof GatewayError) || error.kind !== "unreadable") return error;
  const { code, gatewayMessage } = error;
  return new GatewayError("interrupted", "The answer broke off.", {
    cause: error,
    sent: "maybe",
    code,
    gatewayMessage,
  });
}
