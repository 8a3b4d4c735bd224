import { type Position, Range, type TextDocument } from "vscode";
import type { CompletionPlace } from "./cleaning/place.ts";

/** Largest document that is read as a whole, in characters; of a larger one, some lines around the cursor are read. */
const largestDocument = 200_000;
/**
 * Lines that are read on each side of the cursor. They start and end at multiples, so that the same text is read while
 * someone types there.
 */
const linesAround = 1_000;
const step = 500;
/** Longest line in which completions are of use. */
const longestLine = 2_000;

/** Reads where the cursor is; `undefined` in very long lines, as in minified files. */
export function documentPlace(document: TextDocument, position: Position): CompletionPlace | undefined {
  if (document.lineAt(position.line).text.length > longestLine) return undefined;
  const last = document.lineCount - 1;
  const end = document.lineAt(last).range.end;
  const isLarge = document.offsetAt(end) > largestDocument;
  const from = isLarge ? Math.max(0, Math.floor((position.line - linesAround) / step) * step) : 0;
  const to = isLarge ? Math.min(last, Math.ceil((position.line + linesAround) / step) * step) : last;
  return {
    prefix: document.getText(new Range(from, 0, position.line, position.character)),
    suffix: document.getText(new Range(position, document.lineAt(to).range.end)),
    languageId: document.languageId,
  };
}
