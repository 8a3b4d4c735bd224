import { splitLines } from "../../src/text/lines.ts";
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

/** The same for a text, whose lines then end with line feeds. */
export function maskText(text: string): string {
  return maskLines(splitLines(text)).join("\n");
}
