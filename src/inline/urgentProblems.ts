import type { LineRange } from "../text/lineRange.ts";
import { mostDiagnostics } from "./problemList.ts";
import type { Span } from "./targetLines.ts";

/** The properties of a diagnostic that are used here. */
interface Reported {
  /** The lower, the more severe. */
  readonly severity: number;
  readonly range: Span;
}

/** As many problems as fit into one question: the most severe first, then those nearest to a line. */
export function mostUrgent<Problem extends Reported>(problems: readonly Problem[], line: number): readonly Problem[] {
  const distance = ({ range }: Problem): number => Math.max(range.start.line - line, line - range.end.line, 0);
  return problems
    .toSorted((one, other) => one.severity - other.severity || distance(one) - distance(other))
    .slice(0, mostDiagnostics);
}

/** The lines from the first problem to the last. */
export function linesAround(problems: readonly Reported[]): LineRange {
  const starts = problems.map(({ range }) => range.start.line);
  const ends = problems.map(({ range }) => range.end.line + 1);
  return { start: Math.min(...starts), end: Math.max(...ends) };
}
