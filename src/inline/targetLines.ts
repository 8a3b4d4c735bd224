import type { LineRange } from "./lines.ts";

/** What is read of a selection or of the range of a symbol. */
export interface Span {
  readonly start: { readonly line: number; readonly character: number };
  readonly end: { readonly line: number; readonly character: number };
}

/** A named part of a document, as language extensions tell it. */
export interface NamedRange {
  readonly range: Span;
  readonly children?: readonly NamedRange[];
}

/** A longer symbol is too much to rewrite for a question about one of its lines. */
const longestSymbol = 400;

/** The lines a question is about: those of the selection, else those of the enclosing symbol, else the cursor's. */
export function targetLines(selection: Span, symbols: readonly NamedRange[]): LineRange {
  const selected = touchedLines(selection);
  if (!isEmpty(selection)) return selected;
  const enclosing = enclosingSymbols(selected.start, symbols).map(({ range }) => touchedLines(range));
  return enclosing.findLast(({ start, end }) => end - start > 1 && end - start <= longestSymbol) ?? selected;
}

/** The lines a span touches. A selection that ends before the first character of a line leaves that line out. */
function touchedLines({ start, end }: Span): LineRange {
  const endsBeforeLine = end.character === 0 && end.line > start.line;
  return { start: start.line, end: endsBeforeLine ? end.line : end.line + 1 };
}

/** The symbols around a line, the outermost first. */
function enclosingSymbols(line: number, symbols: readonly NamedRange[]): readonly NamedRange[] {
  const enclosing: NamedRange[] = [];
  let inner: readonly NamedRange[] | undefined = symbols;
  while (inner) {
    const around: NamedRange | undefined = inner.find(
      ({ range }) => range.start.line <= line && line <= range.end.line,
    );
    if (around) enclosing.push(around);
    inner = around?.children;
  }
  return enclosing;
}

function isEmpty({ start, end }: Span): boolean {
  return start.line === end.line && start.character === end.character;
}
