import { findSecrets } from "../../src/text/secrets/findSecrets.ts";
import { maskOf } from "../../src/text/secrets/placeholders.ts";

/** Replaces each secret in the lines of a file or a diff by a placeholder of its own. */
export function maskLines(lines: readonly string[]): readonly string[] {
  let number = 0;
  return findSecrets(lines).map((spans, index) =>
    spans.reduceRight(
      (line, { start, end }) => line.slice(0, start) + maskOf((number += 1)) + line.slice(end),
      lines[index] ?? "",
    ),
  );
}

/** The same for a text, whose line endings stay. */
export function maskText(text: string): string {
  const parts = text.split(/(\r\n|\r|\n)/);
  const lines = maskLines(parts.filter((_, index) => index % 2 === 0));
  return lines.map((line, index) => line + (parts[2 * index + 1] ?? "")).join("");
}
