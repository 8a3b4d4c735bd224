import type { AnswerItems } from "../../gateway/types.ts";
import { asArray, asObject, asText, type JsonObject, parseJson } from "../../base/json.ts";
import { type ReportedPart, thinkingMetadata, thinkingPart } from "./unpublishedApi.ts";

/** The key of the items in the metadata of a thinking part. Other providers' parts have other keys. */
const itemsKey = "codexGateway.items";

/** Limits on what is kept and read: characters of JSON, and number of items. */
const longest = 8_000_000;
const mostItems = 1_000;

/**
 * A part without text that brings the items of an answer back with the results of its tool calls. `undefined` where they
 * are too long, or VS Code has no such parts. They are JSON in a string, because VS Code changes some objects on their way.
 */
export function itemsPart(items: AnswerItems): ReportedPart | undefined {
  const json = JSON.stringify(items);
  return json.length > longest ? undefined : thinkingPart("", crypto.randomUUID(), { [itemsKey]: json });
}

/** The items that came back in an answer's message. What is not of the form that `itemsPart` gives it is ignored. */
export function readItems(content: readonly unknown[]): AnswerItems | undefined {
  const json = content.map((part) => asText(thinkingMetadata(part)?.[itemsKey])).findLast((text) => text !== undefined);
  if (json === undefined || json.length > longest) return undefined;
  const { entry, model, items } = asObject(parseJson(json)) ?? {};
  const name = asText(model);
  const read = asArray(items).map(asObject);
  if ((entry !== "primary" && entry !== "backup") || name === undefined) return undefined;
  if (read.length === 0 || read.length > mostItems || !read.every(isObject)) return undefined;
  return { entry, model: name, items: read };
}

function isObject(item: JsonObject | undefined): item is JsonObject {
  return item !== undefined;
}
