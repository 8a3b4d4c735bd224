import { withoutEntities } from "../text/html.ts";
import { isFilled } from "../text/lines.ts";
import { keptLines } from "./keptLines.ts";

/** What a block as a whole comes to once its old lines are as they were. */
export type Restored = { readonly type: "lines"; readonly lines: readonly string[] } | { readonly type: "garbled" };

/** Typographic characters that programs write for others, besides the entities of HTML. */
const written: readonly (readonly [RegExp, string])[] = [
  [/[“”„‟«»]/g, '"'],
  [/[‘’‚‛]/g, "'"],
  [/[‐‑‒–—―]/g, "-"],
  [/\u00a0/g, " "],
];
const prose = /\.(?:md|mdx|markdown|qmd|txt|rst|adoc|tex)$/i;

/**
 * Restores the characters of old lines that a block repeats differently: in another Unicode form, which looks the same, or
 * with entities of HTML and typographic quotes. If new lines of code have such characters, too, the block is `garbled`,
 * because nobody knows what they should be. If nothing else differs, the characters are the change itself, and stay.
 */
export function restoreLines(old: readonly string[], lines: readonly string[], path: string): Restored {
  const isPlain = (line: string): boolean => /^[\x20-\x25\x27-\x7e\t]*$/.test(line);
  const unchanged: Restored = { type: "lines", lines };
  if (lines.every(isPlain) && old.every(isPlain)) return unchanged;
  const kept = keptLines(old, lines, lookOf);
  const retyped = kept.filter(({ at, newAt }) => old[at]?.trim() !== lines[newAt]?.trim());
  if (retyped.length === 0 || (old.length === lines.length && kept.length === filledIn(lines))) return unchanged;
  const restored = [...lines];
  for (const { at, newAt } of retyped) restored[newAt] = old[at] ?? "";
  const known = new Set(old);
  const isVisible = retyped.some(({ at, newAt }) => visible(old[at] ?? "") !== visible(lines[newAt] ?? ""));
  const isOdd = (line: string): boolean => !known.has(line) && plain(line) !== visible(line);
  return isVisible && !prose.test(path) && restored.some(isOdd)
    ? { type: "garbled" }
    : { type: "lines", lines: restored };
}

function lookOf(line: string): string {
  return plain(line).trim();
}

/** The line with the characters that are meant. */
function plain(line: string): string {
  let text = withoutEntities(visible(line));
  for (const [pattern, character] of written) text = text.replace(pattern, character);
  return text;
}

/** The line in one Unicode form, with simple blanks. */
function visible(line: string): string {
  return line.normalize().replaceAll("\u00a0", " ");
}

function filledIn(lines: readonly string[]): number {
  return lines.filter(isFilled).length;
}
