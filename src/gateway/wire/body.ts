import { TextDecoder } from "node:util";
import { asArray, asObject, firstObject, type JsonObject, parseJson } from "../../text/json.ts";
import { GatewayError, unreadable } from "../errors.ts";
import type { HttpAnswer, HttpBody } from "../network/exchange.ts";
import { aboutPage, bodyFailure, isPage } from "./errorAnswer.ts";
import { mediaType } from "./headers.ts";

/** The beginning of a body, and how to continue. */
export interface Beginning {
  /** The text so far, without byte order mark and leading whitespace. */
  readonly text: string;
  /** Decoder for the rest. */
  readonly decoder: TextDecoder;
  readonly isStream: boolean;
}

/** Fields and comments of server-sent events. */
const eventLine = /^(?:data|event|id|retry)?:/;
const names = ["data:", "event:", "id:", "retry:"];

/**
 * Reads enough of a body to detect its form: from its content type or, if that is missing or wrong, from its first
 * characters.
 */
export async function readBeginning({ headers, body }: HttpAnswer, onRead: () => void): Promise<Beginning> {
  const isDeclared = mediaType(headers) === "text/event-stream";
  const decoder = new TextDecoder();
  let text = "";
  let isOver = false;
  for (;;) {
    const isStream = text === "" ? undefined : looksLikeStream(text, isDeclared);
    if (isStream !== undefined) return { text, decoder, isStream };
    if (isOver) return { text, decoder, isStream: isDeclared };
    const next = await body.next();
    onRead();
    isOver = next.done === true;
    text = (text + (next.done ? decoder.decode() : decoder.decode(next.value, { stream: true }))).trimStart();
  }
}

/** `undefined` while both are possible. */
function looksLikeStream(text: string, isDeclared: boolean): boolean | undefined {
  if (/^[{["<]/.test(text)) return false;
  if (isDeclared || eventLine.test(text)) return true;
  return names.some((name) => name.startsWith(text)) ? undefined : false;
}

/** The texts of a body as they arrive. */
export async function* textsOf(
  { text, decoder }: Beginning,
  body: HttpBody,
  onRead: () => void,
): AsyncGenerator<string> {
  yield text;
  for (let next = await body.next(); next.done !== true; next = await body.next()) {
    onRead();
    yield decoder.decode(next.value, { stream: true });
  }
  yield decoder.decode();
}

/** Reads the rest of a body. Throws `GatewayError` if it is longer than `limit` characters. */
export async function restOf(beginning: Beginning, body: HttpBody, onRead: () => void, limit: number): Promise<string> {
  let whole = "";
  for await (const text of textsOf(beginning, body, onRead)) {
    whole += text;
    if (whole.length > limit) throw unreadable("The answer is too long.");
  }
  return whole;
}

/**
 * Parses a whole body as a JSON object. Throws `GatewayError` otherwise, or for an error in the JSON. What follows the
 * object is ignored: it may be paid for.
 */
export function wholeObject(text: string): JsonObject {
  const whole = text.trim();
  if (whole === "") throw new GatewayError("empty", "The answer is empty.", { sent: "maybe" });
  if (isPage(whole)) {
    const message = "A web page came instead of an answer.";
    throw new GatewayError("badGateway", message, { ...aboutPage(whole), sent: "maybe" });
  }
  return checkedObject(parseJson(whole) ?? parseJson(firstObject(whole)));
}

/**
 * A value as the JSON object of an answer. Throws the `GatewayError` that it contains, also in a list as from Gemini, or
 * one of kind `unreadable`.
 */
export function checkedObject(value: unknown, event?: string): JsonObject {
  const json = asObject(value);
  const said = json ?? asObject(asArray(value)[0]);
  const failure = said && bodyFailure(said, event);
  if (failure !== undefined) throw failure;
  if (json === undefined) throw unreadable("The answer is not a JSON object.");
  return json;
}
