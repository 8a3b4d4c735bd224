import type { LineRange } from "../../text/lineRange.ts";
import { findSequence } from "../../text/findSequence.ts";
import { plainLine } from "../describeChanges.ts";
import type { ReportedFinding } from "./readFindings.ts";

/** A line of a diff that exists after the change. */
export interface SentLine {
  /** Its number in the changed file, from 1. */
  readonly number: number;
  readonly text: string;
  /** Its text as `compact` returns it. */
  readonly code: string;
}

/** A file that was sent, at least in part. */
export interface SentFile {
  /** The path in the repository. */
  readonly path: string;
  readonly name: string;
  /** The lines that were sent, hunk by hunk. */
  readonly hunks: readonly (readonly SentLine[])[];
}

/** A finding about lines of the working file. */
export interface LocatedFinding extends ReportedFinding {
  /** The path in the repository. */
  readonly path: string;
  readonly lineRange: LineRange;
  /** The first of these lines, as `compact` returns it. */
  readonly code: string;
}

/** The findings of a review, bugs first. */
export interface LocatedFindings {
  readonly located: readonly LocatedFinding[];
  readonly unlocated: readonly ReportedFinding[];
}

/** Minimum length of a quotation that may be only a part of its line. */
const minPartLength = 8;

/** The file that a finding names, as the list of files or a diff does. */
export function fileOf({ file }: ReportedFinding, files: readonly SentFile[]): SentFile | undefined {
  const names = [file, file.replace(/^(?:\.\/|[ab]\/)/, "")];
  return names.flatMap((wanted) => files.filter(({ name, path }) => name === wanted || path === wanted))[0];
}

/**
 * Finds the lines of the working files that findings are about. A finding is located only if its lines were sent, have
 * the code that it quotes, if any, and are still in the working file. `textOf` holds the lines of the working
 * files that can be read. `restore` replaces placeholders of secrets by their values.
 */
export function locateFindings(
  findings: readonly ReportedFinding[],
  files: readonly SentFile[],
  textOf: ReadonlyMap<SentFile, readonly string[]>,
  restore = (quote: string): string => quote,
): LocatedFindings {
  // As diffs show lines.
  const working = new Map([...textOf].map(([file, lines]) => [file, lines.map(plainLine)]));
  const located: LocatedFinding[] = [];
  const unlocated: ReportedFinding[] = [];
  for (const finding of findings) {
    const file = fileOf(finding, files);
    const lines = (file && working.get(file)) ?? [];
    const quoted = file && quotedLines({ ...finding, quote: restore(finding.quote) }, file.hunks);
    const lineRange = quoted && currentLines(lines, quoted);
    const code = compact((lineRange && lines[lineRange.start]) ?? "");
    if (file && lineRange) located.push({ ...finding, path: file.path, lineRange, code });
    else unlocated.push(finding);
  }
  const rank = ({ path }: LocatedFinding): number => files.findIndex((file) => file.path === path);
  return {
    located: located.toSorted(
      (one, other) =>
        severityOf(other) - severityOf(one) || rank(one) - rank(other) || one.lineRange.start - other.lineRange.start,
    ),
    unlocated: unlocated.toSorted((one, other) => severityOf(other) - severityOf(one)),
  };
}

const severities = { high: 2, medium: 1, low: 0 } as const;

/** A bug of any severity counts more than an improvement. */
function severityOf({ kind, severity }: ReportedFinding): number {
  return (kind === "bug" ? 3 : 0) + severities[severity];
}

/** Lines of a hunk, by their indices. */
interface HunkLines {
  readonly hunk: readonly SentLine[];
  readonly first: number;
  readonly last: number;
}

/** The lines of the diff that a finding names, if one of them has the code it quotes, or else the only line with that code. */
function quotedLines({ lines, quote }: ReportedFinding, hunks: SentFile["hunks"]): HunkLines | undefined {
  const wanted = readingsOf(quote);
  const isQuoted = ({ code }: SentLine): boolean => wanted.includes(code);
  const hunk = hunks.find((one) => one.some(({ number }) => number === lines?.first));
  if (hunk && lines) {
    const first = hunk.findIndex(({ number }) => number === lines.first);
    const last = Math.min(first + lines.last - lines.first, hunk.length - 1);
    if (wanted.length === 0) return { hunk, first, last };
    const named = hunk.slice(first, last + 1);
    const whole = named.findIndex(isQuoted);
    const parts = wanted.filter((part) => part.length >= minPartLength);
    const index = whole >= 0 ? whole : named.findIndex(({ code }) => parts.some((part) => code.includes(part)));
    if (index >= 0) return { hunk, first: first + index, last };
  }
  if (!wanted.some(isDistinctive)) return undefined;
  const [only, ...more] = hunks.flatMap((one) =>
    one.flatMap((line, index) => (isQuoted(line) ? [{ hunk: one, first: index, last: index }] : [])),
  );
  return more.length === 0 ? only : undefined;
}

/** Lines of a hunk in a working file: in all of the hunk, the nearest if it has several, or else the only line like the first. */
function currentLines(file: readonly string[], { hunk, first, last }: HunkLines): LineRange | undefined {
  const texts = hunk.map(({ text }) => text);
  const distance = (start: number): number => Math.abs(start - (hunk[0]?.number ?? 1) + 1);
  const [start] = [...findSequence(file, texts)].toSorted((one, other) => distance(one) - distance(other));
  if (start !== undefined) return { start: start + first, end: start + last + 1 };
  const text = texts[first] ?? "";
  const line = file.indexOf(text);
  const isOnly = line >= 0 && line === file.lastIndexOf(text);
  return isOnly && isDistinctive(text) ? { start: line, end: line + 1 } : undefined;
}

/**
 * The code that a quotation may mean: as it is, or without the mark of a cut, the number and sign that diffs have before a
 * line, or backticks.
 */
function readingsOf(whole: string): readonly string[] {
  const quote = whole.replace(/(?:…|\.{3})$/, "");
  const readings = [
    whole,
    quote,
    quote.replace(/^\s*\d*\|[+ ]?/, ""),
    quote.replace(/^\+/, ""),
    whole.replace(/^`|`$/g, ""),
  ];
  return [...new Set(readings.map(compact))].filter((code) => code !== "");
}

/** A line with single spaces: quotations of code differ in whitespace. */
export function compact(line: string): string {
  return line.replace(/\s+/g, " ").trim();
}

function isDistinctive(line: string): boolean {
  return /[\p{L}\p{N}]/u.test(line);
}
