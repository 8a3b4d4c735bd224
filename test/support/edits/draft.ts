import type { LineEdit } from "../../../src/edits/types.ts";
import type { LineRange } from "../../../src/text/lineRange.ts";
import * as lines from "../../../src/text/lines.ts";
import { countPlaces, type RealEdit, squeeze } from "./edit.ts";
import type { Random } from "../random.ts";

/** The forms of answer. A patch as OpenAI defines it also stands outside a fence. */
export const formats = ["replace", "searchReplace", "patch", "fencedPatch", "diff", "wholeFile"] as const;
export type Format = (typeof formats)[number];

export interface Row {
  readonly mark: " " | "-" | "+";
  readonly text: string;
}

/** One or more hunks of an edit with the lines around them. */
export interface Chunk extends LineRange {
  /** What a patch writes behind "@@" before these lines. */
  readonly anchor?: string | undefined;
  readonly rows: readonly Row[];
}

/** An answer before it is written. Damages change it, or the text that is written from it. */
export interface Draft {
  readonly format: Format;
  readonly edit: RealEdit;
  /** The path as the answer has it. */
  readonly path: string;
  readonly chunks: readonly Chunk[];
  readonly asked?: LineRange | undefined;
  /** Ways of writing that damages choose; everything else is chosen at random. */
  readonly manner: { readonly bareContext?: "blank" | "all"; readonly numbers?: "right" | "wrong" | "none" };
  /** The answer, where a damage has written it. */
  readonly answer?: string;
  /** What must come of it, where a damage decides that. */
  readonly expectation?: Expectation;
}

/** What a careful person would do with an answer: apply it, ask back, or either. */
export type Expectation = "lands" | "mayLand" | "refused";

/** What the lines around a change are for: to be found exactly, or even where white space got lost. */
export type Context = "minimal" | "generous";

const longest = 30;

/** An answer for an edit, or nothing where this form suits no such edit. */
export function draftOf(edit: RealEdit, format: Format, context: Context, random: Random): Draft | undefined {
  const { lines, hunks } = edit;
  const base = { format, edit, path: edit.path, manner: {} };
  const [first, last] = [hunks[0], hunks.at(-1)];
  if (!first || !last) return undefined;
  if (format === "wholeFile") {
    const chunk = chunkOf(edit, 0, lines.length);
    // A blank line at the end may be the file's final newline, and a small block a part of the file.
    const isCut = hunks.some(({ start, end, lines: added }) => added.length === 0 && 4 * (end - start) > lines.length);
    const isPart = isCut || chunk.rows.filter(({ mark }) => mark !== "-").length * 2 < lines.length;
    const isClear = lines.length <= 400 && !isPart && linesOf(chunk, "new").at(-1)?.trim() !== "";
    return isClear ? { ...base, chunks: [chunk] } : undefined;
  }
  if (format === "replace") {
    const around = context === "generous" ? 1 + random.below(8) : 0;
    const [start, end] = [Math.max(0, first.start - around), Math.min(lines.length, last.end + around)];
    const asked = { start, end };
    const chunk = chunkOf(edit, start, end);
    // Where nothing but the indentation of the lines in question changes, it may as well be a slip.
    const [old, changed] = (["old", "new"] as const).map((side) => linesOf(chunk, side).map(squeeze).join("\n"));
    return end - start <= 400 && old !== changed ? { ...base, asked, chunks: [chunk] } : undefined;
  }
  const chunks = uniqueChunks(edit, context, random);
  return chunks && { ...base, asked: askedBy(edit, first, last, random), chunks };
}

/** Some of the user's selections that go with an answer: about the change, about something else, or none. */
function askedBy({ lines }: RealEdit, first: LineEdit, last: LineEdit, random: Random): Draft["asked"] {
  if (random.chance(0.5)) return undefined;
  if (random.chance(0.6))
    return { start: first.start, end: Math.max(last.end, Math.min(first.start + 1, lines.length)) };
  const start = random.below(lines.length);
  return { start, end: Math.min(lines.length, start + 1 + random.below(30)) };
}

/** The chunks of an edit, each with as many lines around it as it takes to be found in one place only. */
function uniqueChunks(edit: RealEdit, context: Context, random: Random): readonly Chunk[] | undefined {
  const isExact = context === "minimal";
  const first = isExact ? random.below(2) : 3;
  let ranges = edit.hunks.map(({ start, end }) => grown(edit, { start, end }, first));
  for (let round = 0; round < longest; round += 1) {
    ranges = merged(ranges);
    const isUnique = ranges.map(
      ({ start, end }) => countPlaces(edit.lines, edit.lines.slice(start, end), isExact) === 1,
    );
    if (isUnique.every(Boolean)) return ranges.map(({ start, end }) => chunkOf(edit, start, end));
    ranges = ranges.map((range, index) => (isUnique[index] ? range : grown(edit, range, 1)));
  }
  return undefined;
}

function grown({ lines }: RealEdit, { start, end }: LineRange, by: number): LineRange {
  return { start: Math.max(0, start - by), end: Math.min(lines.length, end + by) };
}

function merged(ranges: readonly LineRange[]): LineRange[] {
  const result: LineRange[] = [];
  for (const range of ranges) {
    const last = result.at(-1);
    if (last && range.start < last.end) result.splice(-1, 1, { start: last.start, end: Math.max(last.end, range.end) });
    else result.push(range);
  }
  return result;
}

/** The lines from `start` to `end` with all changes in them. */
function chunkOf({ lines, hunks }: RealEdit, start: number, end: number): Chunk {
  const rows: Row[] = [];
  let next = start;
  const add = (mark: Row["mark"], texts: readonly string[]): void => {
    for (const text of texts) rows.push({ mark, text });
  };
  for (const hunk of hunks.filter((one) => one.start >= start && one.end <= end)) {
    add(" ", lines.slice(next, hunk.start));
    add("-", lines.slice(hunk.start, hunk.end));
    add("+", hunk.lines);
    next = hunk.end;
  }
  add(" ", lines.slice(next, end));
  return { start, end, rows };
}

/** The chunks anew after the file or the edit changed. */
export function chunksAgain(edit: RealEdit, ranges: readonly LineRange[]): Draft["chunks"] {
  return ranges.map(({ start, end }) => chunkOf(edit, start, end));
}

/** The lines of a chunk before the change, or after it. */
export function linesOf({ rows }: Chunk, side: "old" | "new"): readonly string[] {
  const other = side === "old" ? "+" : "-";
  return rows.filter(({ mark }) => mark !== other).map(({ text }) => text);
}

/** The draft with other rows. */
export function withRows(draft: Draft, change: (row: Row) => readonly Row[]): Draft {
  const chunks = draft.chunks.map((chunk) => ({ ...chunk, rows: chunk.rows.flatMap(change) }));
  return { ...draft, chunks };
}

/** Whether a row has more than white space. */
export function hasText({ text }: Row): boolean {
  return lines.hasText(text);
}
