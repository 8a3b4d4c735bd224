import { withoutDepths } from "./jsonDepth.ts";

/** A JSON object from outside, its fields still unknown. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The value if it is a JSON object. */
export function asObject(value: unknown): JsonObject | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
}

/** The value if it is an array, else an empty one. */
export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The value if it is a string with something in it. */
export function asText(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The value if it is a count. */
export function asCount(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** The parsed text, or `undefined` if it is not JSON, or nests deeper or has more values than any answer. */
export function parseJson(text: string): unknown {
  return withoutDepths(text) === text ? parsed(text) : undefined;
}

/** The same of a text of any depth, without what is nested too deep to be read. */
export function parseOutline(text: string): unknown {
  return parsed(withoutDepths(text) ?? "");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The names of an object's fields for a message, bounded in length. */
export function keysOf(json: JsonObject): string {
  return Object.keys(json).join(", ").slice(0, 200);
}
