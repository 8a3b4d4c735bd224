/** Splits a text into lines, with any line ending. */
export function splitLines(text: string): readonly string[] {
  return text.split(/\r\n|\r|\n/);
}

/** Maximum number of lines of a file for inline chat: comparing more would block the extension host for over 200 ms. */
const maxLines = 100_000;

/** Whether a file has too many lines for inline chat. */
export function hasTooManyLines(text: string): boolean {
  return splitLines(text).length > maxLines;
}

/** The text with `\n` as the only line ending. */
export function withLineFeeds(text: string): string {
  return text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
}

/** Whether a line has more than whitespace. */
export function hasText(line: string): boolean {
  return line.trim() !== "";
}

/** The spaces and tabs at the start of a line. */
export function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

/** A file name as one line. On most systems, file names can contain line breaks, which would start a new line of a prompt. */
export function oneLine(name: string): string {
  return name.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ");
}

/** The first code units of a text, at most `length`, without half of a surrogate pair at the end. */
export function beginningOf(text: string, length: number): string {
  const isWithin = /^[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(Math.max(0, length - 1), length + 1));
  return text.slice(0, isWithin ? length - 1 : length);
}

/**
 * The first words of a text, at most `length` code units. Never half a word, because half a secret is not recognized. Text in
 * Chinese, Japanese, or Korean, which needs no spaces, can end before any of its characters.
 */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text;
  let end = length;
  while (end > 0 && !/[\s\u3000-\ud7ff\uff00-\uffef]/.test(text[end] ?? "")) end -= 1;
  return text.slice(0, end).trimEnd();
}
