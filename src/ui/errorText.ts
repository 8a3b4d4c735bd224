import { withoutKeys } from "../gateway/wire/withoutKeys.ts";

/** The most characters that are looked at, and that are kept. */
const limits = { read: 100_000, kept: 4_000 };

/** Control characters besides tabs and the breaks of lines. */
const controls = /[\x00-\x08\v\f\x0e-\x1f\x7f-\x9f]+/g;

/** An unexpected failure as the log may keep it, with its stack: bounded, and without the keys that it quotes. */
export function errorText(error: unknown): string {
  const text = withoutKeys(withoutKeys(rawText(error).slice(0, limits.read)).replace(controls, " "));
  return text.length > limits.kept ? `${text.slice(0, limits.kept)}…` : text;
}

function rawText(error: unknown): string {
  try {
    const said = String(error);
    const stack = error instanceof Error ? error.stack : undefined;
    if (stack === undefined) return said;
    return stack.startsWith(said) ? stack : `${said}\n${stack}`;
  } catch {
    // Anything can be thrown, also what cannot be made a text.
    return "A failure that cannot be told.";
  }
}
