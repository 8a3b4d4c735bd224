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

/** The same for a text of any number of lines, whose line endings and byte order mark stay. */
export function maskText(text: string): string {
  const mark = text.startsWith("\uFEFF") ? "\uFEFF" : "";
  const ends = text.match(/\r\n|\r|\n/g) ?? [];
  const lines = maskLines(text.slice(mark.length).split(/\r\n|\r|\n/));
  return mark + lines.map((line, index) => line + (ends[index] ?? "")).join("");
}

/** The same for the code around a cursor. A secret in which the cursor stands counts as before it. */
export function maskAround(before: string, after: string): readonly [before: string, after: string] {
  const lines = (before + after).split("\n");
  let [code, cursor, offset] = [before + after, before.length, before.length + after.length + 1];
  for (const [index, spans] of [...findSecrets(lines).entries()].toReversed()) {
    offset -= (lines[index] ?? "").length + 1;
    for (const { start, end } of spans.toReversed()) {
      const [from, to] = [offset + start, offset + end];
      const mask = maskOf(code.slice(from, to));
      code = code.slice(0, from) + mask + code.slice(to);
      if (from < cursor) cursor = from + mask.length + Math.max(0, cursor - to);
    }
  }
  return [code.slice(0, cursor), code.slice(cursor)];
}

/** The same for parts of lines, which may begin or end within a secret, and for words about them, which may quote one. */
export function maskParts(lines: readonly string[]): (part: string) => string {
  let found: readonly string[] | undefined;
  const maskIfInside = (text: string, known: readonly string[]): string | undefined => {
    const whole = text.trim().length > 2 ? known.find((secret) => secret.includes(text.trim())) : undefined;
    return whole === undefined ? undefined : maskOf(whole);
  };
  return (part) => {
    const secrets = (found ??= secretsIn(lines));
    const own = maskIfInside(part, secrets);
    if (own !== undefined || secrets.length === 0) return own ?? maskText(part);
    const whole = secrets.reduce((text, secret) => text.replaceAll(secret, maskOf(secret)), part);
    return maskText(
      whole.replace(/(?<=["'`])[^"'`\n]{4,}(?=["'`])/g, (quoted) => maskIfInside(quoted, secrets) ?? quoted),
    );
  };
}

function secretsIn(lines: readonly string[]): readonly string[] {
  const found = findSecrets(lines).flatMap((spans, index) =>
    spans.map(({ start, end }) => (lines[index] ?? "").slice(start, end)),
  );
  // One may be a part of another.
  return found.toSorted((one, other) => other.length - one.length);
}

/** The text with an ellipsis in place of each placeholder, where these would tell nobody anything. */
export function withoutMasks(text: string): string {
  return text.replace(new RegExp(anyMask, "gi"), "…");
}

/** What a model is told about placeholders. */
export const maskRule =
  "A text such as “[secret 123456 removed]” stands for a secret value that is withheld. In lines that stay, copy it exactly; never write it in a new or changed line.";

/** Whether a text has a placeholder, or what a model made of one. */
export function hasMask(text: string): boolean {
  return anyMask.test(text);
}

function maskOf(secret: string): string {
  const number = createHmac("sha256", salt).update(secret).digest().readUInt32BE() % 1_000_000;
  return `[secret ${String(number).padStart(6, "0")} removed]`;
}
