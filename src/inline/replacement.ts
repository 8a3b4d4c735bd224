import type { LineRange } from "../text/lineRange.ts";

/** The properties of a document that are used here. */
export interface LineSource {
  readonly lineCount: number;
  readonly eol: string;
  lineLength(line: number): number;
}

/** One replacement of text, as editors take it. */
export interface TextReplacement {
  readonly start: Position;
  readonly end: Position;
  readonly text: string;
}

interface Position {
  readonly line: number;
  readonly character: number;
}

/** Replaces a range of whole lines with `lines`. Uses the document's line endings and keeps its final newline. */
export function replaceLines(source: LineSource, { start, end }: LineRange, lines: readonly string[]): TextReplacement {
  const text = lines.join(source.eol);
  const endOf = (line: number): Position => ({ line, character: source.lineLength(line) });
  if (start < end && lines.length > 0) return { start: { line: start, character: 0 }, end: endOf(end - 1), text };
  if (end < source.lineCount) {
    const next = lines.length > 0 ? text + source.eol : "";
    return { start: { line: start, character: 0 }, end: { line: end, character: 0 }, text: next };
  }
  if (start > 0) {
    const next = lines.length > 0 ? source.eol + text : "";
    return { start: endOf(start - 1), end: endOf(end - 1), text: next };
  }
  return { start: { line: 0, character: 0 }, end: endOf(end - 1), text };
}
