import { asArray, asObject, type JsonObject, parseJson } from "../../text/json.ts";
import type { Clean } from "../../text/withoutKeys.ts";
import { unreadable } from "./answerReader.ts";
import { bodyFailure, errorOf } from "./errorAnswer.ts";
import type { ServerEvent } from "./serverSentEvents.ts";

/**
 * The JSON object that a text holds. Throws the `GatewayError` that it contains, also in a list as from Gemini, or one of
 * kind `unreadable`.
 */
export function checkedObject(value: unknown, event: string | undefined, clean: Clean): JsonObject {
  const json = asObject(value);
  const said = json ?? asObject(asArray(value)[0]);
  const failure = said && bodyFailure(said, event, clean);
  if (failure !== undefined) throw failure;
  if (json === undefined) throw unreadable("The answer is not a JSON object.");
  return json;
}

/**
 * Parses the JSON object in an event; `undefined` for events without meaning. Throws like `checkedObject`. Once the
 * answer is over, only errors count.
 */
export function objectOf({ event, data }: ServerEvent, isOver: boolean, clean: Clean): JsonObject | undefined {
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
