import { findSecrets } from "./findSecrets.ts";

/** A placeholder, also as models change it. The group has its number. */
const anyMask = /\[\s?secret(?:\s(\w{1,12}))?\sremoved\s?\]/gi;

/** The placeholder that rules for models name as an example, which stands for nothing. */
export const exampleMask = "[secret 123456 removed]";

/** What a model is told about placeholders in code that it may change. */
export const maskRule = `A text such as “${exampleMask}” stands for a secret value that is withheld. In lines that stay, copy it exactly; never write it in a new or changed line.`;

/** The same for a model that only reads. */
export const unmentionedRule = `“${exampleMask}”, with any number, stands for a value that is withheld: do not mention it.`;

/** The placeholder with a number of six digits. */
export function maskOf(number: number): string {
  return `[secret ${String(number).padStart(6, "0")} removed]`;
}

/** Whether a text has a placeholder, or what a model made of one. */
export function hasMask(text: string): boolean {
  return text.search(anyMask) >= 0;
}

/** Replaces each placeholder by what `valueOf` gives for its number; `undefined` leaves it. */
export function replaceMasks(text: string, valueOf: (mask: string) => string | undefined): string {
  return text.replace(anyMask, (mask, number?: string) => valueOf(maskOf(Number(number))) ?? mask);
}

/** The text with an ellipsis in place of each placeholder, where these would tell nobody anything. */
export function withoutMasks(text: string): string {
  return text.replace(anyMask, "…");
}

/**
 * Replaces what looks like a secret in the lines of a file or a diff, each with a placeholder of its own. For tests and tools:
 * what the extension sends is masked by value, in `WindowSecrets`.
 */
export function maskLines(lines: readonly string[]): readonly string[] {
  let number = 0;
  return findSecrets(lines).map((spans, index) =>
    spans.reduceRight(
      (line, { start, end }) => line.slice(0, start) + maskOf((number += 1)) + line.slice(end),
      lines[index] ?? "",
    ),
  );
}

/** The same for a text of any number of lines, whose line endings stay. */
export function maskText(text: string): string {
  const parts = text.split(/(\r\n|\r|\n)/);
  const lines = maskLines(parts.filter((_, index) => index % 2 === 0));
  return lines.map((line, index) => line + (parts[2 * index + 1] ?? "")).join("");
}
