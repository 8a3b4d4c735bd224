import { splitLines } from "../text/lines.ts";

/** The placeholder of a line that the model was not shown. */
const notShown = "(a line that was not quoted)";

/**
 * The lines of a file that a model was shown, each at its line number, so that quoting from them reveals nothing new. Each
 * part starts at a line of the file, from zero.
 */
export function shownText(parts: readonly { readonly text: string; readonly start?: number }[]): string {
  const lines: string[] = [];
  for (const { text, start = 0 } of parts) {
    const shown = splitLines(text);
    while (lines.length < start) lines.push(notShown);
    for (const [index, line] of shown.entries()) lines[start + index] = line;
  }
  return lines.join("\n");
}
