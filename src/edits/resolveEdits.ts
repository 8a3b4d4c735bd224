import type { LineRange } from "../text/lineRange.ts";
import { hasMask } from "../text/secrets/placeholders.ts";
import { FileText } from "./change/fileText.ts";
import { flawOf, hasMarks } from "./change/flaws.ts";
import { isMisindented } from "./change/blockIndentation.ts";
import { FileIndex, StepLimit } from "./place/fileIndex.ts";
import { locateHunk, type Placement } from "./place/locateHunk.ts";
import { mayEndEarly, newFileLines, replaceFile, replaceTarget } from "./place/replaceBlock.ts";
import type {
  TargetLines,
  EditProblem,
  EditProblemKind,
  FileChange,
  LineEdit,
  Operation,
  OperationOf,
  PlacedEdit,
  Resolution,
} from "./types.ts";
import { isMarkdown, resolveWholePath, resolvePath } from "./read/paths.ts";
import { type EditReading, readEdits } from "./read/readEdits.ts";

export type { TargetLines, EditProblem, EditProblemKind, FileChange, Resolution } from "./types.ts";

/**
 * Finds what an answer changes in `files`, which are texts by path. Reads `replace` blocks, SEARCH/REPLACE blocks, patches in
 * OpenAI's format, unified diffs and whole files, whichever of them the prompt requested. `target` are the lines that the
 * answer is about, from zero, `end` excluded; a `replace` block replaces them.
 *
 * An edit is applied only if its old lines are in exactly one place; otherwise it is a problem. A file with a problem is not
 * changed at all, and neither is any file if the answer is cut off, or too long to be shown.
 */
export function resolveEdits(answer: string, files: ReadonlyMap<string, string>, target?: TargetLines): Resolution {
  return resolveMasked(readEdits(answer, files), files, asWritten, target);
}

/** Replaces the placeholders in a line of an answer by the secrets they stand for. */
export type Restore = (line: string) => string;

/** For answers of models that have seen no placeholders. */
export const asWritten: Restore = (line) => line;

/**
 * As `resolveEdits`, for an answer of a model that has seen placeholders instead of secrets. A line with a placeholder may
 * only repeat the line of the file that has the secret, with any indentation. Anything else is a problem, so that no
 * placeholder is written to a file, and no secret to another line.
 */
export function resolveMasked(
  { operations, truncation }: Pick<EditReading, "operations" | "truncation">,
  files: ReadonlyMap<string, string>,
  restore: Restore,
  target?: TargetLines,
): Resolution {
  if (truncation) return { changes: [], problems: [truncation] };
  const restored = new Set<string>();
  const restoreLine: Restore = (line) => {
    const original = restore(line);
    if (original !== line) restored.add(original.trim());
    return original;
  };
  const withValues = operations.map((operation) => restoreOperation(operation, restoreLine));
  const { changes, problems } = new Resolver(files, target).resolve(withValues);
  const isSecret = (line: string): boolean => hasMask(line) || restored.has(line.trim());
  const rejected = changes.filter((change) => movesSecrets(change, files.get(change.path), isSecret));
  return {
    changes: changes.filter((change) => !rejected.includes(change)),
    problems: [...problems, ...rejected.map(({ path }): EditProblem => ({ kind: "masked", path }))],
  };
}

function restoreOperation(operation: Operation, restore: Restore): Operation {
  if (operation.type === "hunk") {
    const { old, lines, anchors } = operation.hunk;
    const restored = { old: old.map(restore), lines: lines.map(restore), anchors: anchors.map(restore) };
    return { ...operation, hunk: { ...operation.hunk, ...restored } };
  }
  if (operation.type === "create") return { ...operation, lines: operation.lines.map(restore) };
  if (operation.type !== "replace" && operation.type !== "wholeFile") return operation;
  return { ...operation, block: { ...operation.block, lines: operation.block.lines.map(restore) } };
}

/** Whether a change writes a secret or placeholder to a line that does not have it already. Each old line counts once. */
function movesSecrets({ hunks }: FileChange, text: string | undefined, isSecret: (line: string) => boolean): boolean {
  const { lines: all } = new FileText(text ?? "");
  return hunks.some(({ start, end, lines }) => {
    const old = Map.groupBy(all.slice(start, end), (line) => line.trim());
    return lines.some((line) => isSecret(line) && old.get(line.trim())?.pop() === undefined);
  });
}

/** Turns the edits of an answer into changes of files. */
class Resolver {
  readonly #files: ReadonlyMap<string, string>;
  readonly #target: TargetLines | undefined;
  readonly #edits = new Map<string, FileEdits>();
  readonly #created: FileEdits[] = [];
  /** New paths, in lowercase: some file systems ignore case. */
  readonly #newPaths = new Set<string>();
  /** Problems of edits whose file is unknown. They may be about any file, so no file is changed. */
  readonly #problems: EditProblem[] = [];
  readonly #steps = new StepLimit();

  constructor(files: ReadonlyMap<string, string>, target: TargetLines | undefined) {
    this.#files = files;
    this.#target = target;
  }

  resolve(operations: readonly Operation[]): Resolution {
    const replacements = operations.filter(({ type }) => type === "replace").length;
    for (const operation of operations) {
      if (operation.type === "replace") this.#addReplacement(operation, replacements);
      else this.#add(operation);
    }
    const all = [...this.#edits.values(), ...this.#created];
    const changes = all.flatMap((edits) => edits.finish() ?? []);
    const problems = [...this.#problems, ...all.flatMap((edits) => edits.problems)];
    return {
      changes: this.#problems.length > 0 ? [] : changes,
      problems: problems.toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0)),
    };
  }

  #addReplacement({ path, block, line }: OperationOf<"replace">, count: number): void {
    const edits = this.#target && this.#editsOf(this.#target.path);
    const named = path === undefined ? undefined : resolvePath(path, this.#files, this.#target?.path);
    const isElsewhere = named !== undefined && named.path !== this.#target?.path;
    if (!this.#target || !edits || isElsewhere) this.#problems.push({ kind: "noTarget", line });
    else if (count > 1) edits.fail("several", line);
    else edits.add(replaceTarget(edits.index, this.#target, block), line);
  }

  #add(operation: Exclude<Operation, { readonly type: "replace" }>): void {
    const { line, type } = operation;
    // An edit that names no file is about the file of the target lines.
    const path = operation.path ?? this.#target?.path;
    // Without old lines, only a whole path identifies the file.
    const resolve = type === "create" || type === "delete" || type === "rename" ? resolveWholePath : resolvePath;
    const file = path === undefined ? undefined : resolve(path, this.#files, this.#target?.path);
    const edits = file && this.#editsOf(file.path);
    const fail = (kind: EditProblemKind): void => {
      if (edits) edits.fail(kind, line);
      else this.#problems.push({ kind, ...(path !== undefined && { path: file?.path ?? path }), line });
    };
    if (type === "problem") fail(operation.kind);
    else if (!file) fail(path === undefined ? "noTarget" : "outside");
    else if (file.found === "several") fail("ambiguous");
    else if (type === "hunk") {
      const { hunk } = operation;
      const target = this.#target?.path === file.path ? this.#target : undefined;
      if (edits) edits.add(locateHunk(edits.index, hunk, target), line);
      else if (hunk.old.length > 0) fail("unknownFile");
      else this.#create(file.path, newFileLines(hunk.lines), line);
    } else if (type === "wholeFile") {
      const { block } = operation;
      if (edits) edits.add(replaceFile(edits.index, file, block), line, true);
      else if (hasMarks(block.lines)) fail("malformed");
      else if (mayEndEarly([], file.path, block)) fail("fence");
      else this.#create(file.path, newFileLines(block.lines), line);
    } else if (type === "create") {
      if (this.#hasFile(file.path)) fail("exists");
      else this.#create(file.path, operation.lines, line);
    } else if (!edits) fail("unknownFile");
    else if (type === "rename") this.#rename(edits, operation);
    else if (edits.isDeleted) fail("overlap");
    else edits.isDeleted = true;
  }

  #rename(edits: FileEdits, operation: OperationOf<"rename">): void {
    const path = resolveWholePath(operation.newPath)?.path;
    if (path === undefined) edits.fail("outside", operation.line);
    else if (edits.newPath !== undefined) edits.fail("overlap", operation.line);
    else if (!this.#reserve(path)) edits.fail("exists", operation.line);
    else edits.newPath = path;
  }

  #create(path: string, lines: readonly string[], line: number): void {
    const edits = new FileEdits(path, undefined, this.#steps);
    if (!this.#reserve(path)) this.#problems.push({ kind: "overlap", path, line });
    const none = { start: 0, end: 0 };
    edits.add({ edits: [{ ...none, lines }], match: "exact", around: none }, line);
    this.#created.push(edits);
  }

  /** Reserves a path for a new file; `false` if it is taken. */
  #reserve(path: string): boolean {
    const key = path.toLowerCase();
    if (this.#hasFile(path) || this.#newPaths.has(key)) return false;
    this.#newPaths.add(key);
    return true;
  }

  /** Whether a file has this path, ignoring case as some file systems do. */
  #hasFile(path: string): boolean {
    return [...this.#files.keys()].some((one) => one.toLowerCase() === path.toLowerCase());
  }

  #editsOf(path: string): FileEdits | undefined {
    const text = this.#files.get(path);
    if (text === undefined) return undefined;
    const edits = this.#edits.get(path) ?? new FileEdits(path, text, this.#steps);
    this.#edits.set(path, edits);
    return edits;
  }
}

/** Collects the edits of one file. A single problem keeps all of them from being applied. */
class FileEdits {
  readonly path: string;
  readonly index: FileIndex;
  readonly problems: EditProblem[] = [];
  newPath: string | undefined;
  isDeleted = false;
  readonly #isNew: boolean;
  /** Edits without a change. They are a problem only if no other edit changes the file. */
  readonly #unchanging: EditProblem[] = [];
  readonly #hunks: PlacedEdit[] = [];
  readonly #known = new Set<string>();
  #isReplaced = false;
  #hasMarks: boolean | undefined;

  /** `text` is `undefined` for a new file. */
  constructor(path: string, text: string | undefined, steps: StepLimit) {
    this.path = path;
    this.index = new FileIndex(new FileText(text ?? ""), steps);
    this.#isNew = text === undefined;
  }

  /** Adds a hunk or block, or the reason why it has no place. Only one block may replace the whole file. */
  add(placement: Placement, line: number, isWhole = false): void {
    if (typeof placement === "string") {
      this.fail(placement, line);
      return;
    }
    // A repeated edit is applied once.
    const key = JSON.stringify(placement.edits);
    if (this.#known.has(key)) return;
    this.#known.add(key);
    if (isWhole && this.#isReplaced) this.fail("several", line);
    this.#isReplaced ||= isWhole;
    const { edits, match, around } = placement;
    const { lines } = this.index.file;
    const added = edits.flatMap((edit) => edit.lines);
    const code = checkedLines(added, this.path);
    // The file itself may contain marks of edits, as documentation about them does.
    const isAboutMarks = hasMarks(code) && (this.#hasMarks ??= hasMarks(lines));
    const flaw = flawOf(code, isAboutMarks ? lines : lines.slice(around.start, around.end), this.#isNew);
    if (flaw) this.fail(flaw, line);
    else for (const edit of edits) this.#hunks.push({ ...edit, match });
  }

  fail(kind: EditProblemKind, line: number): void {
    (kind === "noChange" ? this.#unchanging : this.problems).push({ kind, path: this.path, line });
  }

  /** The change of the file, unless there are problems or nothing to do. */
  finish(): FileChange | undefined {
    const { path, newPath, isDeleted } = this;
    const hunks = this.#hunks.toSorted((one, other) => one.start - other.start || one.end - other.end);
    const isChanged = hunks.length > 0 || newPath !== undefined;
    if (hunks.some((hunk, at) => overlaps(hunks[at - 1], hunk)) || (isDeleted && isChanged)) {
      this.problems.push({ kind: "overlap", path });
    }
    if (!isDeleted && !isChanged) this.problems.push(...this.#unchanging);
    if (this.problems.length > 0 || !(isDeleted || isChanged)) return undefined;
    if (isDeleted) return { path, kind: "delete", text: "", hunks: [] };
    const text = this.index.file.replace(hunks);
    if (isMisindented(path, new FileText(text).lines, newRanges(hunks))) {
      this.problems.push({ kind: "malformed", path });
      return undefined;
    }
    if (newPath !== undefined) return { path, kind: "rename", newPath, text, hunks };
    return { path, kind: this.#isNew ? "create" : "update", text, hunks };
  }
}

/** The lines that hunks, which are in order, have in the new text. */
function newRanges(hunks: readonly LineEdit[]): readonly LineRange[] {
  let added = 0;
  return hunks.map(({ start, end, lines }) => {
    const first = start + added;
    added += lines.length - (end - start);
    return { start: first, end: first + lines.length };
  });
}

/** The lines that are checked for flaws: not the statement of three dots in Python, nor the padding of tables in Markdown. */
function checkedLines(lines: readonly string[], path: string): readonly string[] {
  if (/\.pyi?$/.test(path)) return lines.filter((line) => line.trim() !== "...");
  return isMarkdown(path) ? lines.map((line) => (/^\s*\|/.test(line) ? line.replace(/ +/g, " ") : line)) : lines;
}

/** Whether two neighbors change the same lines, or insert lines at the same position. */
function overlaps(before: PlacedEdit | undefined, { start, end }: PlacedEdit): boolean {
  return before !== undefined && (start < before.end || (start === before.start && end === before.end));
}
