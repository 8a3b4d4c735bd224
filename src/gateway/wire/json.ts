import { withoutDepths } from "./jsonDepth.ts";

/** An untrusted JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The value if it is a JSON object. */
export function asObject(value: unknown): JsonObject | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
}

/** The value if it is an array, else an empty one. */
export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The value if it is a non-empty string. */
export function asText(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The value if it is a non-negative safe integer. */
export function asCount(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** The parsed text; `undefined` if it is not JSON, or exceeds the limits on depth and number of values. */
export function parseJson(text: string): unknown {
  return withoutDepths(text) === text ? parsed(text) : undefined;
}

/** Like `parseJson`, for any depth: leaves out what is nested too deeply. */
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
