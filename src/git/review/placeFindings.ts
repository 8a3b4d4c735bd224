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
  // As a diff has them.
  const texts = new Map([...textOf].map(([file, lines]) => [file, lines.map((line) => plainLine(withoutMark(line)))]));
  const search = new LineSearch();
  const placed: PlacedFinding[] = [];
  const unplaced: ReportedFinding[] = [];
  for (const finding of findings.toSorted((one, other) => weight(other) - weight(one))) {
    const file = fileOf(finding, files);
    const seen = file && search.seenLines({ ...finding, quote: restore(finding.quote) }, file.hunks);
    const place = seen && search.placeIn(texts.get(file) ?? [], seen);
    if (place) placed.push({ ...finding, path: file.path, place });
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

/** Searches diffs and files for the lines of findings. Findings are about the same ones, so they are prepared only once. */
class LineSearch {
  readonly #sentIn = once((hunk: SeenLines["hunk"]) => hunk.map(({ sent }) => compact(sent)));
  readonly #startsIn = once((file: readonly string[]) =>
    once((hunk: SeenLines["hunk"]) => [...runStarts(file, textsOf(hunk))]),
  );
  readonly #placesIn = once((file: readonly string[]) => Map.groupBy(file.keys(), (index) => file[index] ?? ""));

  /** The lines of the diff that a finding is about: those it names, if they hold what it quotes, or else only these. */
  seenLines({ lines, quote }: ReportedFinding, hunks: ShownFile["hunks"]): SeenLines | undefined {
    const wanted = readingsOf(quote);
    const hunk = hunks.find((one) => one.some(({ number }) => number === lines?.first));
    if (hunk && lines) {
      const first = hunk.findIndex(({ number }) => number === lines.first);
      const last = Math.min(first + lines.last - lines.first, hunk.length - 1);
      if (wanted.length === 0) return { hunk, first, last };
      const named = this.#sentIn(hunk).slice(first, last + 1);
      const whole = named.findIndex((line) => wanted.includes(line));
      const part = named.findIndex((line) => wanted.some((words) => words.length >= leastPart && line.includes(words)));
      const index = whole < 0 ? part : whole;
      if (index >= 0) return { hunk, first: first + index, last };
    }
    if (!wanted.some(isDistinctive)) return undefined;
    const same = hunks.flatMap((one) =>
      this.#sentIn(one).flatMap((line, index) =>
        wanted.includes(line) ? [{ hunk: one, first: index, last: index }] : [],
      ),
    );
    return same.length === 1 ? same[0] : undefined;
  }

  /** Where all lines of a hunk stand in a working file, nearest to before, or else its first line, if that is there only once. */
  placeIn(file: readonly string[], { hunk, first, last }: SeenLines): LineRange | undefined {
    const distance = (start: number): number => Math.abs(start - (hunk[0]?.number ?? 1) + 1);
    const start = this.#startsIn(file)(hunk).reduce<number | undefined>(
      (nearest, one) => (nearest === undefined || distance(one) < distance(nearest) ? one : nearest),
      undefined,
    );
    if (start !== undefined) return { start: start + first, end: start + last + 1 };
    const text = withoutMark(hunk[first]?.raw ?? "");
    const [line, ...others] = this.#placesIn(file).get(text) ?? [];
    return line !== undefined && others.length === 0 && isDistinctive(text)
      ? { start: line, end: line + 1 }
      : undefined;
  }
}

/** Does some work only once for each object. */
function once<Key extends object, Value extends object>(work: (key: Key) => Value): (key: Key) => Value {
  const done = new Map<Key, Value>();
  return (key) => {
    const value = done.get(key) ?? work(key);
    done.set(key, value);
    return value;
  };
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

/** The lines of a hunk as they are in the repository. */
function textsOf(hunk: SeenLines["hunk"]): readonly string[] {
  return hunk.map(({ raw }) => withoutMark(raw));
}

/** A line without a byte order mark. */
function withoutMark(line: string): string {
  return line.replace(/^\uFEFF/, "");
}
