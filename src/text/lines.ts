/** The lines of a text, whatever ends them. */
export function splitLines(text: string): readonly string[] {
  return text.split(/\r\n|\r|\n/);
}

/** A name as one line: on most systems a file's name may hold line breaks, and a prompt would read on after them. */
export function oneLine(name: string): string {
  return name.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ");
}
