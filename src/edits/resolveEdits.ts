import { hasMask } from "../text/maskSecrets.ts";
import { FileText } from "./change/fileText.ts";
import { flawOf, hasMarks, leavesOut } from "./change/flaws.ts";
import { Budget, FileIndex } from "./place/fileIndex.ts";
import { newFileLines, placeHunk, type Placement, replaceAsked, replaceFile } from "./place/placement.ts";
import type {
  AskedLines,
  EditProblem,
  EditProblemKind,
  FileChange,
  Hunk,
  Operation,
  OperationOf,
  PlacedEdit,
  Resolution,
} from "./types.ts";
import { isMarkdown, resolveNewPath, resolvePath } from "./read/paths.ts";
import { type EditReading, readEdits } from "./read/readEdits.ts";

export type { AskedLines, EditProblem, EditProblemKind, FileChange, Resolution } from "./types.ts";

/**
 * Finds what an answer changes in `files`, which are texts by path. Reads `replace` blocks, SEARCH/REPLACE blocks,
 * patches in OpenAI's format, unified diffs and whole files, whatever was asked for. `asked` are the lines that the
 * answer is about, from zero, `end` excluded; a `replace` block takes their place.
 *
 * An edit is applied only at the one place where its old lines are for certain; all others are problems. A file with a
 * problem is not changed at all, and of an answer that is cut off, or too long to be shown, nothing is applied.
 */
export function resolveEdits(answer: string, files: ReadonlyMap<string, string>, asked?: AskedLines): Resolution {
  return resolveReading(readEdits(answer, files), files, asked);
}

function resolveReading(
  { operations, broken }: Pick<EditReading, "operations" | "broken">,
  files: ReadonlyMap<string, string>,
  asked?: AskedLines,
): Resolution {
  return broken ? { changes: [], problems: [broken] } : new Resolver(files, asked).resolve(operations);
}

/** Puts values back in place of the placeholders in a line of an answer. */
export type Restore = (line: string) => string;

/** For answers of models that have seen no placeholders. */
export const asWritten: Restore = (line) => line;

/**
 * The same for an answer of a model that has seen placeholders in place of secrets. A line with a placeholder is the line of
 * the file that has the secret, at most indented otherwise. Any other such line is a problem, so that no placeholder is ever
 * written, and no secret elsewhere.
 */
export function resolveMasked(
  { operations, broken }: Pick<EditReading, "operations" | "broken">,
  files: ReadonlyMap<string, string>,
  restore: Restore,
  asked?: AskedLines,
): Resolution {
  const restored = new Set<string>();
  const restoreLine: Restore = (line) => {
    const own = restore(line);
    if (own !== line) restored.add(own.trim());
    return own;
  };
  const withValues = operations.map((operation) => restoreOperation(operation, restoreLine));
  const { changes, problems } = resolveReading({ operations: withValues, broken }, files, asked);
  const isSecret = (line: string): boolean => hasMask(line) || restored.has(line.trim());
  const misplaced = changes.filter((change) => misplaces(change, files.get(change.path), isSecret));
  return {
    changes: changes.filter((change) => !misplaced.includes(change)),
    problems: [...problems, ...misplaced.map(({ path }): EditProblem => ({ kind: "masked", path }))],
  };
}

function restoreOperation(operation: Operation, restore: Restore): Operation {
  if (operation.type === "hunk") {
    const { old, lines, unmarked, anchors } = operation.hunk;
    const hunk = {
      ...operation.hunk,
      old: old.map(restore),
      lines: lines.map(restore),
      anchors: anchors.map(restore),
      ...(unmarked && { unmarked: unmarked.map(restore) }),
    };
    return { ...operation, hunk };
  }
  if (operation.type === "create") return { ...operation, lines: operation.lines.map(restore) };
  if (operation.type !== "replace" && operation.type !== "wholeFile") return operation;
  return { ...operation, block: { ...operation.block, lines: operation.block.lines.map(restore) } };
}

/** Whether a change writes a secret, or a placeholder, anywhere but in a line that has it already. Each line comes back once. */
function misplaces({ hunks }: FileChange, text: string | undefined, isSecret: (line: string) => boolean): boolean {
  const { lines: old } = new FileText(text ?? "");
  return hunks.some(({ start, end, lines }) => {
    const left = Map.groupBy(old.slice(start, end), (line) => line.trim());
    return lines.some((line) => isSecret(line) && left.get(line.trim())?.pop() === undefined);
  });
}

/** Turns the edits of an answer into changes of files. */
class Resolver {
  readonly #files: ReadonlyMap<string, string>;
  readonly #asked: AskedLines | undefined;
  readonly #edits = new Map<string, FileEdits>();
  readonly #created: FileEdits[] = [];
  /** Paths that were free, in lower case: on some systems, the case of a name does not matter. */
  readonly #taken = new Set<string>();
  /** Misfits of edits whose file is unknown. Any file may be meant, so they keep all from being changed. */
  readonly #misfits: EditProblem[] = [];
  readonly #budget = new Budget();

  constructor(files: ReadonlyMap<string, string>, asked: AskedLines | undefined) {
    this.#files = files;
    this.#asked = asked;
  }

  resolve(operations: readonly Operation[]): Resolution {
    const replacements = operations.filter(({ type }) => type === "replace").length;
    for (const operation of operations) {
      if (operation.type === "replace") this.#addReplacement(operation, replacements);
      else this.#add(operation);
    }
    const all = [...this.#edits.values(), ...this.#created];
    const changes = all.flatMap((edits) => edits.finish() ?? []);
    const problems = [...this.#misfits, ...all.flatMap((edits) => edits.misfits)];
    return {
      changes: this.#misfits.length > 0 ? [] : changes,
      problems: problems.toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0)),
    };
  }

  #addReplacement({ block, line }: OperationOf<"replace">, count: number): void {
    const edits = this.#asked && this.#editsOf(this.#asked.path);
    if (!this.#asked || !edits) this.#misfits.push({ kind: "noTarget", line });
    else if (count > 1) edits.fail("several", line);
    else edits.add(replaceAsked(edits.index, this.#asked, block), line);
  }

  #add(operation: Exclude<Operation, { readonly type: "replace" }>): void {
    const { line, type } = operation;
    // An edit that names no file is about the one in question.
    const path = operation.path ?? this.#asked?.path;
    const resolve = type === "create" ? resolveNewPath : resolvePath;
    const target = path === undefined ? undefined : resolve(path, this.#files, this.#asked?.path);
    const edits = target && this.#editsOf(target.path);
    const fail = (kind: EditProblemKind): void => {
      if (edits) edits.fail(kind, line);
      else this.#misfits.push({ kind, ...(path !== undefined && { path: target?.path ?? path }), line });
    };
    if (type === "problem") fail(operation.kind);
    else if (!target) fail(path === undefined ? "noTarget" : "outside");
    else if (type === "create") {
      if (this.#hasFile(target.path)) fail("exists");
      else this.#create(target.path, operation.lines, line);
    } else if (target.found === "several") fail("ambiguous");
    else if (type === "hunk") {
      const { hunk } = operation;
      if (edits) edits.add(this.#place(edits, hunk), line);
      else if (hunk.old.length > 0) fail("unknownFile");
      else this.#create(target.path, newFileLines(hunk.lines), line);
    } else if (type === "wholeFile") {
      const { block } = operation;
      if (edits) edits.add(replaceFile(edits.index, target, block), line);
      else if (hasMarks(block.lines)) fail("malformed");
      else this.#create(target.path, newFileLines(block.lines), line);
    } else if (!edits) fail("unknownFile");
    else if (type === "rename") this.#rename(edits, operation);
    else if (edits.isDeleted) fail("overlap");
    else edits.isDeleted = true;
  }

  #rename(edits: FileEdits, operation: OperationOf<"rename">): void {
    const path = resolveNewPath(operation.newPath)?.path;
    if (path === undefined) edits.fail("outside", operation.line);
    else if (edits.newPath !== undefined) edits.fail("overlap", operation.line);
    else if (!this.#take(path)) edits.fail("exists", operation.line);
    else edits.newPath = path;
  }

  #create(path: string, lines: readonly string[], line: number): void {
    const edits = new FileEdits(path, undefined, this.#budget);
    if (!this.#take(path)) this.#misfits.push({ kind: "overlap", path, line });
    const none = { start: 0, end: 0 };
    edits.add({ edits: [{ ...none, lines }], match: "exact", around: none }, line);
    this.#created.push(edits);
  }

  /** Takes a path that is free; `false` if it is not. */
  #take(path: string): boolean {
    const key = path.toLowerCase();
    if (this.#hasFile(path) || this.#taken.has(key)) return false;
    this.#taken.add(key);
    return true;
  }

  /** Whether there is such a file; on some systems, the case of its name does not matter. */
  #hasFile(path: string): boolean {
    return [...this.#files.keys()].some((file) => file.toLowerCase() === path.toLowerCase());
  }

  #place({ path, index }: FileEdits, hunk: Hunk): Placement {
    return placeHunk(index, hunk, this.#asked?.path === path ? this.#asked : undefined);
  }

  #editsOf(path: string): FileEdits | undefined {
    const text = this.#files.get(path);
    if (text === undefined) return undefined;
    const edits = this.#edits.get(path) ?? new FileEdits(path, text, this.#budget);
    this.#edits.set(path, edits);
    return edits;
  }
}

/** Collects the edits of one file. Any problem keeps all of them from being applied. */
class FileEdits {
  readonly path: string;
  readonly index: FileIndex;
  readonly misfits: EditProblem[] = [];
  newPath: string | undefined;
  isDeleted = false;
  readonly #isNew: boolean;
  /** Edits that change nothing. They are a problem only where there are no others. */
  readonly #idle: EditProblem[] = [];
  readonly #hunks: PlacedEdit[] = [];
  readonly #seen = new Set<string>();
  #hasMarks: boolean | undefined;

  /** `text` is `undefined` for a new file. */
  constructor(path: string, text: string | undefined, budget: Budget) {
    this.path = path;
    this.index = new FileIndex(new FileText(text ?? ""), budget);
    this.#isNew = text === undefined;
  }

  /** Adds what a hunk or block comes to. */
  add(placement: Placement, line: number): void {
    if (typeof placement === "string") {
      this.fail(placement, line);
      return;
    }
    // An answer that repeats an edit means it once.
    const key = JSON.stringify(placement);
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    const { edits, match, around } = placement;
    const { lines } = this.index.file;
    const old = lines.slice(around.start, around.end);
    const code = inQuestion(
      edits.flatMap((edit) => edit.lines),
      this.path,
    );
    // The file itself may have marks of edits, as documentation of them does.
    const known = hasMarks(code) && (this.#hasMarks ??= hasMarks(lines)) ? lines : old;
    const isShort = edits.some((edit) => leavesOut(lines.slice(edit.start, edit.end), edit.lines));
    const flaw = flawOf(code, known, this.#isNew) ?? (isShort ? "omission" : undefined);
    if (flaw) this.fail(flaw, line);
    else for (const edit of edits) this.#hunks.push({ ...edit, match });
  }

  fail(kind: EditProblemKind, line: number): void {
    (kind === "noChange" ? this.#idle : this.misfits).push({ kind, path: this.path, line });
  }

  /** The change of the file, unless there are problems or nothing to do. */
  finish(): FileChange | undefined {
    const { path, newPath, isDeleted } = this;
    const hunks = this.#hunks.toSorted((one, other) => one.start - other.start || one.end - other.end);
    const isChanged = hunks.length > 0 || newPath !== undefined;
    if (hunks.some((hunk, at) => overlaps(hunks[at - 1], hunk)) || (isDeleted && isChanged)) {
      this.misfits.push({ kind: "overlap", path });
    }
    if (!isDeleted && !isChanged) this.misfits.push(...this.#idle);
    if (this.misfits.length > 0 || !(isDeleted || isChanged)) return undefined;
    if (isDeleted) return { path, kind: "delete", text: "", hunks: [] };
    const text = this.index.file.replace(hunks);
    if (newPath !== undefined) return { path, kind: "rename", newPath, text, hunks };
    return { path, kind: this.#isNew ? "create" : "update", text, hunks };
  }
}

/** The lines that may be an omission or hide something. Python has a statement of three dots, and Markdown pads its tables. */
function inQuestion(lines: readonly string[], path: string): readonly string[] {
  if (/\.pyi?$/.test(path)) return lines.filter((line) => line.trim() !== "...");
  return isMarkdown(path) ? lines.map((line) => (/^\s*\|/.test(line) ? line.replace(/ +/g, " ") : line)) : lines;
}

/** Whether two neighbors change the same lines, or add lines at the same place. */
function overlaps(before: PlacedEdit | undefined, { start, end }: PlacedEdit): boolean {
  return before !== undefined && (start < before.end || (start === before.start && end === before.end));
}
