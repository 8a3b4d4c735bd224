import type { LineChange } from "../../text/diffLines.ts";
import { isFilled } from "../../text/lines.ts";
import type { Hunk, OldLine, Operation } from "./operations.ts";

/** Where a patch stands in an answer. */
interface PatchPlace {
  /** The line of the answer where it starts. */
  readonly line: number;
  /** The path named before it, for hunks without one. */
  readonly path: string | undefined;
  readonly isPlain: boolean;
}

const directive = /^\s*\*{3} (Update|Add|Delete) File:(.+)$/i;
const moveTo = /^\s*\*{3} Move to:(.+)$/i;
const endOfFile = /^\s*\*{3} End of File\s*$/i;
const envelope = /^(?:\s*\*{3} (?:Begin|End) Patch\s*$|diff --git )/;
const header = /^@@(?: -\d+(?:,\d+)? \+\d+(?:,\d+)?(?: @@)?)?(.*)$/;
/** Lines of `git diff` before a file's hunks, and the one at the end of a file without a newline. */
const extended =
  /^(?:index [\da-f]+\.\.|(?:new|deleted) file mode |(?:old|new) mode |(?:dis)?similarity index |copy (?:from|to) |\\ )/;
const noPath = "/dev/null";

/**
 * Reads OpenAI's patch format (V4A) and unified diffs, whose hunks are alike. Line numbers and counts are ignored:
 * models get them wrong.
 */
export function readPatch(lines: readonly string[], place: PatchPlace): readonly Operation[] {
  const reader = new PatchReader(place);
  for (let index = 0; index < lines.length; index += 1) {
    const [line = "", next = ""] = [lines[index], lines[index + 1]];
    const isHead = /^--- \S/.test(line) && /^\+\+\+ \S/.test(next);
    if (isHead) reader.startFile(withoutTime(line.slice(4)), withoutTime(next.slice(4)), place.line + index);
    else reader.add(line, place.line + index);
    if (isHead) index += 1;
  }
  reader.endFile();
  return reader.operations;
}

class PatchReader {
  readonly operations: Operation[] = [];
  readonly #place: PatchPlace;
  #path: string | undefined;
  /** The new file whose lines follow. */
  #created: { readonly path: string; readonly line: number; readonly lines: string[] } | undefined;
  /** Whether the hunks that follow belong to a file that the patch deletes. */
  #isDeleting = false;
  #hunk: { readonly line: number; readonly anchors: string[]; readonly rows: string[] } | undefined;

  constructor(place: PatchPlace) {
    this.#place = place;
    this.#path = place.path;
  }

  /** Starts the file that the two lines of a unified diff name. */
  startFile(old: string, path: string, line: number): void {
    this.endFile();
    if (old === noPath) this.#created = { path: path.replace(/^b\//, ""), line, lines: [] };
    else if (path === noPath) this.#delete(old, line);
    else this.#path = path;
  }

  add(line: string, at: number): void {
    const [, verb = "", path = ""] = directive.exec(line) ?? [];
    if (verb !== "" || envelope.test(line)) this.endFile();
    if (/^add/i.test(verb)) this.#created = { path: path.trim(), line: at, lines: [] };
    else if (/^delete/i.test(verb)) this.#delete(path.trim(), at);
    else if (verb !== "") this.#path = path.trim();
    else if (envelope.test(line)) return;
    else if (endOfFile.test(line)) this.#endHunk(true);
    else if (this.#created) this.#created.lines.push(line);
    else if (!this.#isDeleting) this.#addRow(line, at);
  }

  endFile(): void {
    this.#endHunk(false);
    if (this.#created) {
      const { path, line, lines } = this.#created;
      const texts = linesOfNewFile(lines);
      this.operations.push(
        texts ? { type: "create", path, line, lines: texts } : { type: "problem", kind: "malformed", path, line },
      );
    }
    this.#created = undefined;
    this.#isDeleting = false;
    this.#path = this.#place.path;
  }

  #delete(path: string, line: number): void {
    this.#isDeleting = true;
    this.operations.push({ type: "delete", path, line });
  }

  #addRow(row: string, line: number): void {
    const move = moveTo.exec(row)?.[1];
    const anchor = header.exec(row)?.[1];
    if (move !== undefined) {
      if (this.#path === undefined) this.#fail("malformed", line);
      else this.operations.push({ type: "rename", path: this.#path, newPath: move.trim(), line });
    } else if (anchor !== undefined) {
      // Several headers in a row narrow the place down.
      if (this.#hunk && this.#hunk.rows.length > 0) this.#endHunk(false);
      this.#hunk ??= { line, anchors: [], rows: [] };
      const text = anchor.trimEnd().replace(/@@$/, "").trim();
      if (text !== "" && !/^(?:\.{3}|…)$/.test(text)) this.#hunk.anchors.push(text);
    } else if (this.#hunk ? !row.startsWith("\\ ") : isFilled(row) && !extended.test(row)) {
      this.#hunk ??= { line, anchors: [], rows: [] };
      this.#hunk.rows.push(row);
      if (this.#place.isPlain && /^<(?:!--|\/?[a-z])/i.test(row)) this.#fail("html", line);
    }
  }

  #endHunk(isAtEnd: boolean): void {
    if (!this.#hunk) return;
    const { line, anchors, rows } = this.#hunk;
    this.#hunk = undefined;
    const [path, isPlain] = [this.#path, this.#place.isPlain];
    const hunk = { ...readRows(rows), anchors, isAtEnd };
    const isIdle = hunk.marked.length === 0;
    // What changes nothing has lost its marks, or it shows where others are and which file they are about.
    if (isIdle && rows.some((row) => /^[^\s\\]/.test(row))) this.#fail("malformed", line);
    else if (!isIdle || (path !== undefined && hunk.old.some(({ text }) => isFilled(text)))) {
      this.operations.push({ type: "hunk", line, path, hunk, isPlain });
    }
  }

  #fail(kind: "malformed" | "html", line: number): void {
    this.operations.push({ type: "problem", kind, path: this.#path, line });
  }
}

/** Reads context, removed, and added lines. Rows without a mark are context; at the end, they only separate hunks. */
function readRows(rows: readonly string[]): Pick<Hunk, "old" | "lines"> & { readonly marked: readonly LineChange[] } {
  const old: OldLine[] = [];
  const lines: string[] = [];
  const marked: LineChange[] = [];
  for (const row of rows.slice(0, rows.findLastIndex((one) => one !== "") + 1)) {
    const [start, newStart, text] = [old.length, lines.length, row.slice(1)];
    if (row.startsWith("+")) lines.push(text);
    else if (row.startsWith("-")) old.push({ text, isRemoved: true });
    else {
      old.push(row.startsWith(" ") ? { text, unstripped: row } : { text: row });
      lines.push(row.startsWith(" ") ? text : row);
      continue;
    }
    const last = marked.at(-1);
    const isNext = last?.end === start && last.newEnd === newStart;
    const from = isNext ? last : { start, newStart };
    marked.splice(isNext ? -1 : marked.length, 1, { ...from, end: old.length, newEnd: lines.length });
  }
  return { old, lines, marked };
}

/** A path of a unified diff without the time that may follow it. */
function withoutTime(path: string): string {
  return path
    .replace(/\t.*$/, "")
    .replace(/(?<!\s)\s+\d{4}-\d\d-\d\d .*$/, "")
    .trim();
}

/** The lines of a new file, all marked with "+" or, as models drift, none. `undefined` if only some are. */
function linesOfNewFile(lines: readonly string[]): readonly string[] | undefined {
  const rows = lines.filter((line) => !/^@@(?: |$)/.test(line) && !extended.test(line));
  const filled = rows.slice(0, rows.findLastIndex((line) => line !== "") + 1);
  if (filled.every((line) => line === "" || line.startsWith("+"))) return filled.map((line) => line.slice(1));
  return filled.some((line) => line.startsWith("+")) ? undefined : filled;
}
