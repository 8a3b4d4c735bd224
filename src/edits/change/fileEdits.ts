import { FileIndex } from "../place/fileIndex.ts";
import type { Placement } from "../place/placeHunk.ts";
import type { EditProblem, EditProblemKind, FileChange, PlacedEdit } from "../types.ts";
import { flawOf, hasMarks } from "./checks.ts";
import { FileText } from "./fileText.ts";
import { leavesOut } from "./omissions.ts";

/** Collects the edits of one file. Any problem keeps all of them from being applied. */
export class FileEdits {
  readonly path: string;
  readonly index: FileIndex;
  readonly problems: EditProblem[] = [];
  /** Edits that change nothing. They are a problem only where there are no others. */
  readonly #idle: EditProblem[] = [];
  readonly #hunks: PlacedEdit[] = [];
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
    const { edits, match, around } = placement;
    const { lines } = this.index.file;
    const old = lines.slice(around.start, around.end);
    const added = edits.flatMap((edit) => edit.lines);
    const code = /\.pyi?$/.test(this.path) ? added.filter((text) => text.trim() !== "...") : added;
    // The file itself may have marks of edits, as documentation of them does.
    const known = hasMarks(code) && (this.#hasMarks ??= hasMarks(lines)) ? lines : old;
    const isShort = edits.some((edit) => leavesOut(lines.slice(edit.start, edit.end), edit.lines));
    const flaw = flawOf(code, known, isPlain) ?? (isShort ? "omission" : undefined);
    if (flaw) this.fail(flaw, line);
    else for (const edit of edits) this.#hunks.push({ ...edit, match });
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
  finish(): FileChange | undefined {
    const { path } = this;
    const hunks = this.#hunks.toSorted((one, other) => one.start - other.start || one.end - other.end);
    const isChanged = hunks.length > 0 || this.#newPath !== undefined;
    if (hunks.some((hunk, at) => overlaps(hunks[at - 1], hunk)) || (this.#isDeleted && isChanged)) {
      this.problems.push({ kind: "overlap", path });
    }
    if (!this.#isDeleted && !isChanged) this.problems.push(...this.#idle);
    if (this.problems.length > 0 || !(this.#isDeleted || isChanged)) return undefined;
    if (this.#isDeleted) return { path, kind: "delete", text: "", hunks: [] };
    const text = this.index.file.replace(hunks);
    if (this.#newPath === undefined) return { path, kind: "update", text, hunks };
    return { path, kind: "rename", newPath: this.#newPath, text, hunks };
  }
}

/** Whether two neighbors change the same lines, or add lines at the same place. */
function overlaps(before: PlacedEdit | undefined, { start, end }: PlacedEdit): boolean {
  return before !== undefined && (start < before.end || (start === before.start && end === before.end));
}
