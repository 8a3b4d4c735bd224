import type { Clean } from "./withoutKeys.ts";

/** How much of a text from outside is looked at for one line. */
const lookedAt = 64 * 1024;

/** One line of at most 300 characters without keys, which are cleared before anything is cut off. */
export function bounded(text: string, clean: Clean): string | undefined {
  const line = clean(text.slice(0, lookedAt))
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim();
  return line.length > 300 ? `${line.slice(0, 299)}…` : line || undefined;
}
