import { withoutKeys } from "../base/withoutKeys.ts";

/** Maximum number of characters that are read, and that are logged. */
const limits = { read: 100_000, logged: 4_000 };

/** Control characters except tabs and line breaks. */
const controls = /[\x00-\x08\v\f\x0e-\x1f\x7f-\x9f]+/g;

/** An unexpected error with its stack for the log, bounded and without keys. */
export function errorText(error: unknown): string {
  const text = withoutKeys(withoutKeys(rawText(error).slice(0, limits.read)).replace(controls, " "));
  return text.length > limits.logged ? `${text.slice(0, limits.logged)}…` : text;
}

function rawText(error: unknown): string {
  try {
    const text = String(error);
    const stack = error instanceof Error ? error.stack : undefined;
    if (stack === undefined) return text;
    return stack.startsWith(text) ? stack : `${text}\n${stack}`;
  } catch {
    // Any value can be thrown, even one that cannot be converted to a string.
    return "An error that cannot be converted to text.";
  }
}
