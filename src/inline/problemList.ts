import { oneLine } from "../text/lines.ts";
import { maskText } from "../text/maskSecrets.ts";
import type { Diagnostic } from "./codeContext.ts";

/** The most problems that are listed, and the most characters of each. */
export const mostDiagnostics = 20;
const longestMessage = 500;

/** The problems as a list. Their words come from language extensions and may quote the file: each is one line of it. */
export function problemList(diagnostics: readonly Diagnostic[]): readonly string[] {
  const items = diagnostics.slice(0, mostDiagnostics).map(({ line, severity, message }) => {
    const text = oneLine(maskText(message).slice(0, longestMessage)).trim();
    return `- line ${line + 1}, ${severity}: ${message.length > longestMessage ? `${text}…` : text}`;
  });
  const more = diagnostics.length - items.length;
  return more > 0 ? [...items, `- and ${more} more`] : items;
}
