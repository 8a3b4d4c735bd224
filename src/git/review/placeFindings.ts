import type { LineRange } from "../../text/lineRange.ts";
import { runStarts } from "../../text/runStarts.ts";
import { plainLine } from "../describeChanges.ts";
import type { ReportedFinding } from "./readFindings.ts";

/** A line of a diff that is still there after the change. */
export interface ShownLine {
  /** Its number in the changed file, from 1. */
  readonly number: number;
  /** Its text as it is sent: without secrets, and not longer than a prompt allows. */
  readonly sent: string;
  /** Its text in the repository. */
  readonly raw: string;
}

/** A file that the model has seen, at least in part. */
export interface ShownFile {
  /** The path in the repository. */
  readonly path: string;
  /** Its name in the prompt. */
  readonly name: string;
  /** The lines that were sent, hunk by hunk. */
  readonly hunks: readonly (readonly ShownLine[])[];
}

/** A finding about lines that are in the working file. */
export interface PlacedFinding extends ReportedFinding {
  /** The path in the repository. */
  readonly path: string;
  /** Its lines in the working file. */
  readonly place: LineRange;
}

/** The findings in the order in which they are shown, and those that have no place. */
export interface PlacedFindings {
  readonly placed: readonly PlacedFinding[];
  readonly unplaced: readonly ReportedFinding[];
}

/** Least length of a quotation that may be only a part of its line. */
const leastPart = 8;

export function fileOf({ file }: ReportedFinding, files: readonly ShownFile[]): ShownFile | undefined {
  const named = (wanted: string): ShownFile | undefined =>
    files.find(({ name, path }) => name === wanted || path === wanted);
  return named(file) ?? named(file.replace(/^(?:\.\/|[ab]\/)/, ""));
}

/**
 * Places findings on lines of the working files, bugs first. A finding has a place only if the model has seen its line,
 * the code it quotes is the code of that line, and the line still stands in the working file. `textOf` has the lines of
 * the working files that can be read. `restore` puts values back in place of their placeholders.
 */
export function placeFindings(
  findings: readonly ReportedFinding[],
  files: readonly ShownFile[],
  textOf: ReadonlyMap<ShownFile, readonly string[]>,
  restore = (quote: string): string => quote,
): PlacedFindings {
  // Many findings may be about the same file.
  const prepared = new Map(
    [...textOf].map(([file, lines]) => [
      file,
      {
        // As a diff has them.
        lines: lines.map((line) => plainLine(withoutMark(line))),
        hunks: file.hunks.map((hunk) =>
          hunk.map(({ number, sent, raw }) => ({ number, sent: compact(sent), raw: withoutMark(raw) })),
        ),
      },
    ]),
  );
  const placed: PlacedFinding[] = [];
  const unplaced: ReportedFinding[] = [];
  for (const finding of findings.toSorted((one, other) => weight(other) - weight(one))) {
    const file = fileOf(finding, files);
    const { lines = [], hunks = [] } = (file && prepared.get(file)) ?? {};
    const seen = seenLines({ ...finding, quote: restore(finding.quote) }, hunks);
    const place = seen && placeIn(lines, seen);
    if (file && place) placed.push({ ...finding, path: file.path, place });
    else unplaced.push(finding);
  }
  const order = new Map(files.map(({ path }, index) => [path, index]));
  const rank = ({ path }: PlacedFinding): number => order.get(path) ?? 0;
  return {
    placed: placed.toSorted(
      (one, other) => weight(other) - weight(one) || rank(one) - rank(other) || one.place.start - other.place.start,
    ),
    unplaced,
  };
}

const severities = { high: 2, medium: 1, low: 0 } as const;

/** Bugs come first, then what is more severe. */
function weight({ kind, severity }: ReportedFinding): number {
  return (kind === "bug" ? 3 : 0) + severities[severity];
}

/** Lines of a hunk, by their indices. */
interface SeenLines {
  readonly hunk: readonly ShownLine[];
  readonly first: number;
  readonly last: number;
}

/** The lines of the diff that a finding is about: those it names, if they hold what it quotes, or else only these. */
function seenLines({ lines, quote }: ReportedFinding, hunks: ShownFile["hunks"]): SeenLines | undefined {
  const wanted = readingsOf(quote);
  const hunk = hunks.find((one) => one.some(({ number }) => number === lines?.first));
  if (hunk && lines) {
    const first = hunk.findIndex(({ number }) => number === lines.first);
    const last = Math.min(first + lines.last - lines.first, hunk.length - 1);
    if (wanted.length === 0) return { hunk, first, last };
    const named = hunk.slice(first, last + 1);
    const whole = named.findIndex(({ sent }) => wanted.includes(sent));
    const part = named.findIndex(({ sent }) => wanted.some((code) => code.length >= leastPart && sent.includes(code)));
    const index = whole < 0 ? part : whole;
    if (index >= 0) return { hunk, first: first + index, last };
  }
  if (!wanted.some(isDistinctive)) return undefined;
  const same = hunks.flatMap((one) =>
    one.flatMap(({ sent }, index) => (wanted.includes(sent) ? [{ hunk: one, first: index, last: index }] : [])),
  );
  return same.length === 1 ? same[0] : undefined;
}

/** Where all lines of a hunk stand in a working file, nearest to before, or else its first line, if that is there only once. */
function placeIn(file: readonly string[], { hunk, first, last }: SeenLines): LineRange | undefined {
  const distance = (start: number): number => Math.abs(start - (hunk[0]?.number ?? 1) + 1);
  const [start] = [
    ...runStarts(
      file,
      hunk.map(({ raw }) => raw),
    ),
  ].toSorted((one, other) => distance(one) - distance(other));
  if (start !== undefined) return { start: start + first, end: start + last + 1 };
  const text = hunk[first]?.raw ?? "";
  const line = file.indexOf(text);
  const isOnly = line >= 0 && line === file.lastIndexOf(text);
  return isOnly && isDistinctive(text) ? { start: line, end: line + 1 } : undefined;
}

/** What a quotation may mean: the line as it is, or with the number and sign that the diff shows before it. */
function readingsOf(quote: string): readonly string[] {
  const readings = [quote, quote.replace(/^\s*\d*\|[+ ]?/, ""), quote.replace(/^\+/, "")];
  return [...new Set(readings.map(compact))].filter((words) => words !== "");
}

function compact(line: string): string {
  return line.replace(/\s+/g, " ").trim();
}

function isDistinctive(line: string): boolean {
  return /[\p{L}\p{N}]/u.test(line);
}

/** A line without a byte order mark. */
function withoutMark(line: string): string {
  return line.replace(/^\uFEFF/, "");
}
