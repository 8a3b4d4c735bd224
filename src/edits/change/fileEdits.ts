import { FileIndex } from "../place/fileIndex.ts";
import type { Placement } from "../place/placeHunk.ts";
import type { EditProblem, EditProblemKind, FileChange, PlacedEdit } from "../types.ts";
import { FileText } from "./fileText.ts";
import { flawOf, hasMarks, leavesOut } from "./flaws.ts";

/** Collects the edits of one file. Any problem keeps all of them from being applied. */
export class FileEdits {
  readonly path: string;
  readonly index: FileIndex;
  readonly problems: EditProblem[] = [];
  newPath: string | undefined;
  isDeleted = false;
  readonly #isNew: boolean;
  /** Edits that change nothing. They are a problem only where there are no others. */
  readonly #idle: EditProblem[] = [];
  readonly #hunks: PlacedEdit[] = [];
  #hasMarks: boolean | undefined;

  /** `text` is `undefined` for a new file. */
  constructor(path: string, text: string | undefined) {
    this.path = path;
    this.index = new FileIndex(new FileText(text ?? ""));
    this.#isNew = text === undefined;
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

  /** The change of the file, unless there are problems or nothing to do. */
  finish(): FileChange | undefined {
    const { path, newPath, isDeleted } = this;
    const hunks = this.#hunks.toSorted((one, other) => one.start - other.start || one.end - other.end);
    const isChanged = hunks.length > 0 || newPath !== undefined;
    if (hunks.some((hunk, at) => overlaps(hunks[at - 1], hunk)) || (isDeleted && isChanged)) {
      this.problems.push({ kind: "overlap", path });
    }
    if (!isDeleted && !isChanged) this.problems.push(...this.#idle);
    if (this.problems.length > 0 || !(isDeleted || isChanged)) return undefined;
    if (isDeleted) return { path, kind: "delete", text: "", hunks: [] };
    const text = this.index.file.replace(hunks);
    if (newPath !== undefined) return { path, kind: "rename", newPath, text, hunks };
    return { path, kind: this.#isNew ? "create" : "update", text, hunks };
  }
}

/** Whether two neighbors change the same lines, or add lines at the same place. */
function overlaps(before: PlacedEdit | undefined, { start, end }: PlacedEdit): boolean {
  return before !== undefined && (start < before.end || (start === before.start && end === before.end));
}
