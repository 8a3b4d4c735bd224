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
  if (text.length > maxDepth && !scan(text).isWithinLimits) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Parses a text, or only the object that it begins with. `rest` is the text after that. */
export function parseStart(text: string): { readonly value: unknown; readonly rest: string } {
  const value = parseJson(text);
  if (value !== undefined || !text.startsWith("{")) return { value, rest: "" };
  const { end } = scan(text);
  return { value: parseJson(text.slice(0, end)), rest: text.slice(end) };
}

/** The names of an object's fields for a message, bounded in length. */
export function keysOf(json: JsonObject): string {
  return Object.keys(json).join(", ").slice(0, 200);
}

/**
 * Maximum depth, number of values and number of fields of untrusted JSON. Greater depth overflows the stack in
 * `JSON.stringify` (at about 7,000 levels in Node 24), more values take gigabytes, and fields of as many names seconds.
 */
const maxDepth = 1_000;
const maxValues = 1_000_000;
const maxFields = 50_000;

const [quote, comma, colon, open, close] = [0x22, 0x2c, 0x3a, 0x5b, 0x5d];
const [openObject, closeObject] = [0x7b, 0x7d];

/** Whether JSON is within the limits, and where its first list or object ends, or 0. Linear time. */
function scan(text: string): { readonly isWithinLimits: boolean; readonly end: number } {
  let [depth, values, fields, end] = [0, 0, 0, 0];
  const isWithinLimits = (): boolean => depth <= maxDepth && values <= maxValues && fields <= maxFields;
  for (let at = 0; at < text.length && isWithinLimits(); at += 1) {
    const character = text.charCodeAt(at);
    if (character === quote) at = endOfString(text, at);
    else if (character === colon) fields += 1;
    else if (character === comma) values += 1;
    else if (character === open || character === openObject) {
      values += 1;
      depth += 1;
    } else if (character === close || character === closeObject) {
      depth -= 1;
      if (depth === 0 && end === 0) end = at + 1;
    }
  }
  return { isWithinLimits: isWithinLimits(), end };
}

function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text[end - 1 - backslashes] === "\\") backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
  return text.length;
}
