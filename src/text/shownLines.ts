import { splitLines } from "./lines.ts";

/** Lines of a file as a model was shown them. */
export interface ShownLines {
  /** The first of them, from zero. */
  readonly start: number;
  readonly lines: readonly string[];
}

/** What stands for a line that the model was not shown. */
const notShown = "(a line that was not quoted)";

/** A file as far as the model was shown it, lines in place: whatever is quoted from it later tells the model nothing new. */
export function shownText(pieces: readonly ShownLines[]): string {
  const lines: string[] = [];
  for (const piece of pieces) {
    while (lines.length < piece.start) lines.push(notShown);
    lines.splice(piece.start, piece.lines.length, ...piece.lines);
  }
  return lines.join("\n");
}

/** The lines of a text that begins at a line of its file. */
export function shownLines(text: string, start = 0): ShownLines {
  return { start, lines: splitLines(text) };
}
