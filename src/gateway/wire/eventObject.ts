import { asObject, type JsonObject, parseJson } from "../../text/json.ts";
import type { Clean } from "../../text/withoutKeys.ts";
import { bodyFailure, errorOf } from "./answerError.ts";
import { unreadable } from "./answerReader.ts";
import type { ServerEvent } from "./serverSentEvents.ts";

/** Parses a JSON object. Throws the `GatewayError` that it contains, or one of kind `unreadable`. */
export function checkedObject(text: string, event: string | undefined, clean: Clean): JsonObject {
  const json = asObject(parseJson(text));
  const failure = json && bodyFailure(json, event, clean);
  if (failure !== undefined) throw failure;
  if (json === undefined) throw unreadable("The answer is not a JSON object.");
  return json;
}

/**
 * Parses the JSON object in an event; `undefined` for events without meaning. Throws like `checkedObject`. Once the
 * answer is over, only errors count.
 */
export function objectOf({ event, data }: ServerEvent, isOver: boolean, clean: Clean): JsonObject | undefined {
  const isJson = data.startsWith("{") || data.trimStart().startsWith("{");
  if (event === "error" && !isJson) throw errorOf(data, clean);
  if (!isJson && (isOver || isKeepAlive(event, data))) return undefined;
  return checkedObject(data, event, clean);
}

/** Names of events with content. Data under another name that is not JSON is ignored. */
const contentEvents = /^(?:message|data|chunk|delta|completion|chat\.completion.*|response\..*)$/;
const keepAlive = /^"?(?:ping|pong|heartbeat|keep[-_ ]?alive)"?$/i;

function isKeepAlive(event: string | undefined, data: string): boolean {
  if (event !== undefined && !contentEvents.test(event)) return true;
  return data.length < 32 && keepAlive.test(data.trim());
}
