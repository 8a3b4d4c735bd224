import type { LineRange } from "../text/lineRange.ts";
import { cutText, oneLine } from "../text/lines.ts";

/** A diagnostic reported on a line. */
export interface Diagnostic {
  readonly line: number;
  readonly severity: string;
  readonly message: string;
}

/** Maximum number of listed problems, and maximum length of each, in characters. */
const maxDiagnostics = 20;
const maxMessageLength = 500;

/** The message of a problem in one line of limited length. It comes from a language extension and may quote the file. */
export function shortMessage(message: string): string {
  const text = oneLine(cutText(message, maxMessageLength)).trim();
  return message.length > maxMessageLength ? `${text}…` : text;
}

/** The problems without their quotations on lines with a secret, of which they may quote a part. */
export function withoutQuotes<D extends Diagnostic>(
  diagnostics: readonly D[],
  hasSecret: ReadonlySet<number>,
): readonly D[] {
  return diagnostics.map((one) =>
    hasSecret.has(one.line) ? { ...one, message: one.message.replace(/(["'`“‘]).*(["'`”’])/s, "$1…$2") } : one,
  );
}

/** The problems as a list. */
export function diagnosticList(diagnostics: readonly Diagnostic[]): readonly string[] {
  const items = diagnostics.slice(0, maxDiagnostics).map(({ line, severity, message }) => {
    return `- line ${line + 1}, ${severity}: ${shortMessage(message)}`;
  });
  const more = diagnostics.length - items.length;
  return more > 0 ? [...items, `- and ${more} more`] : items;
}

/** The properties of a diagnostic that are used here. */
interface Reported {
  /** The lower, the more severe. */
  readonly severity: number;
  readonly range: { readonly start: { readonly line: number }; readonly end: { readonly line: number } };
}

/** The problems for one question: the most severe first, then those nearest to a line. */
export function mostUrgent<R extends Reported>(problems: readonly R[], line: number): readonly R[] {
  const distance = ({ range }: Reported): number => Math.max(range.start.line - line, line - range.end.line, 0);
  return problems
    .toSorted((one, other) => one.severity - other.severity || distance(one) - distance(other))
    .slice(0, maxDiagnostics);
}

/** The lines from the first problem to the last. */
export function linesAround(problems: readonly Reported[]): LineRange {
  const starts = problems.map(({ range }) => range.start.line);
  const ends = problems.map(({ range }) => range.end.line + 1);
  return { start: Math.min(...starts), end: Math.max(...ends) };
}

/** An error as a language service reports it. */
export interface CodedDiagnostic extends Diagnostic {
  readonly source: string;
  /** The code of the language service, as text. */
  readonly code: string;
}

/**
 * The problems that did not exist before, in their order. As lines move with every edit, problems are compared by message,
 * code and source: of several equal ones, as many as before are old, first those outside the changed lines.
 */
export function newDiagnostics(
  before: readonly CodedDiagnostic[],
  now: readonly CodedDiagnostic[],
  changed: readonly LineRange[],
): readonly CodedDiagnostic[] {
  const old = Map.groupBy(before, keyOf);
  const isInside = ({ line }: CodedDiagnostic): boolean =>
    changed.some(({ start, end }) => start <= line && line < end);
  const outsideFirst = now.toSorted((one, other) => Number(isInside(one)) - Number(isInside(other)));
  const oldOnes = new Set(outsideFirst.filter((problem) => old.get(keyOf(problem))?.pop()));
  return now.filter((problem) => !oldOnes.has(problem));
}

/** The problems that existed before. */
export function stillThere(
  before: readonly CodedDiagnostic[],
  now: readonly CodedDiagnostic[],
): readonly CodedDiagnostic[] {
  const added = new Set(newDiagnostics(before, now, []));
  return now.filter((problem) => !added.has(problem));
}

function keyOf({ message, code, source }: CodedDiagnostic): string {
  return JSON.stringify([message, code, source]);
}
