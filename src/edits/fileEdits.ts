import { flawOf } from "./checkLines.ts";
import { FileIndex } from "./fileIndex.ts";
import { FileText } from "./fileText.ts";
import { hasMarks } from "./marks.ts";
import { leavesOut } from "./omissions.ts";
import type { Placement } from "./placeHunk.ts";
import type { ChangedLines, EditProblem, EditProblemKind, TextChange } from "./types.ts";

/** Collects the edits of one file. Any problem keeps all of them from being applied. */
export class FileEdits {
  readonly path: string;
  readonly index: FileIndex;
  readonly problems: EditProblem[] = [];
  /** Edits that change nothing. They are a problem only where there are no others. */
  readonly #idle: EditProblem[] = [];
  readonly #hunks: ChangedLines[] = [];
  #newPath: string | undefined;
  #isDeleted = false;
  #hasMarks: boolean | undefined;

  constructor(path: string, text: string) {
    this.path = path;
    this.index = new FileIndex(new FileText(text));
  }

  /** Adds what a hunk or block comes to. Python alone has a statement that looks like an ellipsis. */
  add(placement: Placement, line: number, isPlain = false): void {
    if (placement.type === "problem") {
      this.fail(placement.kind, line);
      return;
    }
    const { runs, match, around } = placement;
    const { lines } = this.index.file;
    const old = lines.slice(around.start, around.end);
    const added = runs.flatMap((run) => run.lines);
    const code = /\.pyi?$/.test(this.path) ? added.filter((text) => text.trim() !== "...") : added;
    const flaw = hasMarks(code) && !this.#isMarked ? "malformed" : flawOf(code, old, isPlain);
    const isShort = runs.some((run) => leavesOut(lines.slice(run.start, run.end), run.lines));
    if (flaw !== undefined || isShort) this.fail(flaw ?? "omission", line);
    else for (const run of runs) this.#hunks.push({ ...run, match });
  }

  fail(kind: EditProblemKind, line: number): void {
    (kind === "noChange" ? this.#idle : this.problems).push({ kind, path: this.path, line });
  }

  delete(line: number): void {
    if (this.#isDeleted) this.fail("overlap", line);
    this.#isDeleted = true;
  }

  isMovedTo(newPath: string): boolean {
    return this.#newPath === newPath;
  }

  rename(newPath: string, line: number): void {
    if (this.#newPath !== undefined && this.#newPath !== newPath) this.fail("overlap", line);
    this.#newPath = newPath;
  }

  /** The change of the file, unless there are problems or nothing to do. */
  finish(): TextChange | undefined {
    const hunks = this.#hunks.toSorted((one, other) => one.start - other.start || one.end - other.end);
    if (hunks.some((hunk, at) => overlaps(hunks[at - 1], hunk)) || (this.#isDeleted && this.#isChanged)) {
      this.problems.push({ kind: "overlap", path: this.path });
    }
    if (!this.#isDeleted && !this.#isChanged) this.problems.push(...this.#idle);
    if (this.problems.length > 0 || !(this.#isDeleted || this.#isChanged)) return undefined;
    const { path } = this;
    if (this.#isDeleted) {
      return { path, kind: "delete", text: "", hunks: [] };
    }
    const text = this.index.file.replace(hunks);
    if (this.#newPath === undefined) return { path, kind: "update", text, hunks };
    return { path, kind: "rename", newPath: this.#newPath, text, hunks };
  }

  /** Whether the file itself has marks of edits, as documentation of them does. */
  get #isMarked(): boolean {
    this.#hasMarks ??= hasMarks(this.index.file.lines);
    return this.#hasMarks;
  }

  get #isChanged(): boolean {
    return this.#hunks.length > 0 || this.#newPath !== undefined;
  }
}

/** Whether two neighbors change the same lines, or add lines at the same place. */
function overlaps(before: ChangedLines | undefined, { start, end }: ChangedLines): boolean {
  if (!before) return false;
  return start < before.end || (start === before.start && end === before.end);
}
