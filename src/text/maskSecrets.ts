import { createHmac, randomBytes } from "node:crypto";
import { findSecrets } from "./findSecrets.ts";

/** Makes placeholders say nothing about their secrets. */
const salt = randomBytes(32);

/** A placeholder, also as models change it. */
const anyMask = /\[\s?secret(?:\s\w{1,12})?\sremoved\s?\]/i;

/**
 * Replaces the secrets in lines of a file or a diff with placeholders such as `[secret 123456 removed]`. The same secret
 * always has the same placeholder while VS Code runs, so that lines with one can be told apart, and found again.
 */
export function maskLines(lines: readonly string[]): readonly string[] {
  return findSecrets(lines).map((spans, index) => {
    const line = lines[index] ?? "";
    if (spans.length === 0) return line;
    const kept = spans.map(({ start }, at) => line.slice(spans[at - 1]?.end ?? 0, start));
    const masks = spans.map(({ start, end }) => maskOf(line.slice(start, end)));
    return `${kept.map((text, at) => text + (masks[at] ?? "")).join("")}${line.slice(spans.at(-1)?.end)}`;
  });
}

/** The same for a text of any number of lines, whose line endings stay. */
export function maskText(text: string): string {
  const ends = text.match(/\r\n|\r|\n/g) ?? [];
  return maskLines(text.split(/\r\n|\r|\n/))
    .map((line, index) => line + (ends[index] ?? ""))
    .join("");
}

/** Whether a text has a placeholder, or what a model made of one. */
export function hasMask(text: string): boolean {
  return anyMask.test(text);
}

function maskOf(secret: string): string {
  const number = createHmac("sha256", salt).update(secret).digest().readUInt32BE() % 1_000_000;
  return `[secret ${String(number).padStart(6, "0")} removed]`;
}
