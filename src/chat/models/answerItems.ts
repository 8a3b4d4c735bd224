import type { AnswerItems } from "../../gateway/types.ts";
import { asArray, asObject, asText, parseJson } from "../../base/json.ts";
import { type ReportedPart, thinkingMetadata, thinkingPart } from "./unpublishedApi.ts";

/** The key of the items in a thinking part's metadata. Other providers use other keys. */
const itemsKey = "codexGateway.items";

/** Maximum length of the JSON, in characters, and maximum number of items. */
const maxLength = 8_000_000;
const maxItems = 1_000;

/**
 * A thinking part without text, which VS Code sends back with the results of the answer's tool calls. `undefined` if the
 * items are too long, or VS Code has no such parts. The items are in a JSON string, because VS Code changes some objects.
 */
export function itemsPart(items: AnswerItems): ReportedPart | undefined {
  const json = JSON.stringify(items);
  return json.length > maxLength ? undefined : thinkingPart("", crypto.randomUUID(), { [itemsKey]: json });
}

/** The items in an answer's message. Ignores what `itemsPart` has not created. */
export function readItems(content: readonly unknown[]): AnswerItems | undefined {
  const json = content.map((part) => asText(thinkingMetadata(part)?.[itemsKey])).findLast((text) => text !== undefined);
  if (json === undefined || json.length > maxLength) return undefined;
  const { entry, model, items } = asObject(parseJson(json)) ?? {};
  const name = asText(model);
  const read = asArray(items).map(asObject);
  if ((entry !== "primary" && entry !== "backup") || name === undefined) return undefined;
  if (read.length === 0 || read.length > maxItems || !read.every((item) => item !== undefined)) return undefined;
  return { entry, model: name, items: read };
}
