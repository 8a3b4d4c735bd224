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
  if (text.length > maxDepth && !scanned(text).isWithinLimits) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The first object in a text that begins with one; empty if it does not end. */
export function firstObject(text: string): string {
  return text.startsWith("{") ? text.slice(0, scanned(text).end) : "";
}

/** The names of an object's fields for a message, bounded in length. */
export function keysOf(json: JsonObject): string {
  return Object.keys(json).join(", ").slice(0, 200);
}

/**
 * Maximum depth and number of values of untrusted JSON. Greater depth overflows the stack in `JSON.stringify` (at about
 * 7,000 levels in Node 24), more values take gigabytes.
 */
const maxDepth = 1_000;
const maxValues = 1_000_000;

/** Whether JSON keeps the limits, and where its first list or object ends. Linear time. */
function scanned(text: string): { readonly isWithinLimits: boolean; readonly end: number } {
  let depth = 0;
  let values = 0;
  let end = 0;
  for (let at = 0; at < text.length && depth <= maxDepth && values <= maxValues; at += 1) {
    const character = text[at];
    if (character === '"') at = endOfString(text, at);
    else if (character === "]" || character === "}") depth -= 1;
    else if (character === "[" || character === "{") depth += 1;
    if (character === "[" || character === "{" || character === ",") values += 1;
    if (depth === 0 && end === 0) end = at + 1;
  }
  return { isWithinLimits: depth <= maxDepth && values <= maxValues, end };
}

function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text[end - 1 - backslashes] === "\\") backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
  return text.length;
}
