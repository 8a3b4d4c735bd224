/** The lines of a text, whatever ends them. */
export function splitLines(text: string): readonly string[] {
  return text.split(/\r\n|\r|\n/);
}
