/** Splits a text into lines, with any line ending. */
export function splitLines(text: string): readonly string[] {
  return text.split(/\r\n|\r|\n/);
}

/** A name as one line. File names can contain line breaks on most systems, which a prompt would read as new lines. */
export function oneLine(name: string): string {
  return name.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ");
}
