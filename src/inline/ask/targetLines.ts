import { type LineRange, type Span, touchedLines } from "../../text/lineRange.ts";

/** A document symbol. */
export interface NamedRange {
  readonly range: Span;
  readonly children?: readonly NamedRange[];
}

/** Maximum length of an enclosing symbol, in lines. */
const maxSymbolLines = 400;

/** The lines for a question: the selection, or else the enclosing symbol, or else the cursor's line. */
export function targetLines(selection: Span, symbols: readonly NamedRange[]): LineRange {
  let lines = touchedLines(selection);
  if (!isEmpty(selection)) return lines;
  const { line } = selection.start;
  const around = (among: readonly NamedRange[] = []): NamedRange | undefined =>
    among.find(({ range }) => range.start.line <= line && line <= range.end.line);
  for (let symbol = around(symbols); symbol; symbol = around(symbol.children)) {
    const { start, end } = touchedLines(symbol.range);
    if (end - start > 1 && end - start <= maxSymbolLines) lines = { start, end };
  }
  return lines;
}

function isEmpty({ start, end }: Span): boolean {
  return start.line === end.line && start.character === end.character;
}
