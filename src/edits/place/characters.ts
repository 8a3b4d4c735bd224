import { withoutEntities } from "../../text/html.ts";

/** Typographic characters that programs write for others, besides the entities of HTML. */
const written: readonly (readonly [RegExp, string])[] = [
  [/[“”„‟«»]/g, '"'],
  [/[‘’‚‛]/g, "'"],
  [/[‐‑‒–—―]/g, "-"],
];

/** A line in plain characters: in one Unicode form, without entities of HTML, typographic quotes and dashes. */
export function plain(line: string): string {
  if (/^[\x00-\x25\x27-\x7f]*$/.test(line)) return line;
  let text = withoutEntities(line.normalize().replaceAll("\u00a0", " "));
  for (const [pattern, character] of written) text = text.replace(pattern, character);
  return text;
}

/** What is the same of two lines that differ only in white space and in how characters are written. */
export function lookOf(line: string): string {
  return plain(line).replace(/\s+/g, "");
}
