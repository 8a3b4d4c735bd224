import { Budget } from "./place/fileIndex.ts";
import { placeHunk } from "./place/placeHunk.ts";
import { newFileLines, replaceAsked, replaceFile } from "./place/replaceWhole.ts";
import type { Operation, OperationOf } from "./read/operations.ts";
import { resolvePath } from "./read/paths.ts";
import { FileEdits } from "./change/fileEdits.ts";
import { hasMarks } from "./change/flaws.ts";
import { type EditReading, readEdits } from "./read/readEdits.ts";
import type { AskedLines, EditProblem, EditProblemKind, Resolution } from "./types.ts";

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

/** The same for an answer that was read before. */
export function resolveReading(
  { operations, broken }: Pick<EditReading, "operations" | "broken">,
  files: ReadonlyMap<string, string>,
  asked?: AskedLines,
): Resolution {
  return broken ? { changes: [], problems: [broken] } : new Resolver(files, asked).resolve(operations);
}

const noFiles: ReadonlyMap<string, string> = new Map();

/** Turns the edits of an answer into changes of files. */
class Resolver {
  readonly #files: ReadonlyMap<string, string>;
  readonly #asked: AskedLines | undefined;
  readonly #edits = new Map<string, FileEdits>();
  /** The files that the answer creates, by path in lower case. */
  readonly #created = new Map<string, FileEdits>();
  /** What takes a path that was free, by path in lower case: on some systems, the case of a name does not matter. */
  readonly #takers = new Map<string, string>();
  /** Problems of edits whose file is unknown. Any file may be meant, so they keep all from being changed. */
  readonly #problems: EditProblem[] = [];
  readonly #budget = new Budget();

  constructor(files: ReadonlyMap<string, string>, asked: AskedLines | undefined) {
    this.#files = files;
    this.#asked = asked;
  }

  resolve(operations: readonly Operation[]): Resolution {
    const replacements = operations.filter(({ type }) => type === "replace").length;
    const seen = new Set<string>();
    for (const operation of operations) {
      // An answer that repeats a hunk means it once.
      const key = operation.type === "hunk" ? JSON.stringify([operation.path, operation.hunk]) : undefined;
      if (key !== undefined && seen.has(key)) continue;
      if (key !== undefined) seen.add(key);
      if (operation.type === "replace") this.#addReplacement(operation, replacements);
      else if (operation.type === "hunk" && operation.path === undefined) this.#addAnywhere(operation);
      else this.#add(operation);
    }
    const all = [...this.#edits.values(), ...this.#created.values()];
    const changes = all.flatMap((edits) => edits.finish() ?? []);
    const problems = [...this.#problems, ...all.flatMap((edits) => edits.problems)];
    return {
      changes: this.#problems.length > 0 ? [] : changes,
      problems: problems.toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0)),
    };
  }

  #addReplacement({ lines, block, line }: OperationOf<"replace">, count: number): void {
    const edits = this.#asked && this.#editsOf(this.#asked.path);
    if (!this.#asked || !edits) this.#problems.push({ kind: "noTarget", line });
    else if (count > 1) edits.fail("several", line);
    else edits.add(replaceAsked(edits.index.file, this.#asked, lines, block), line);
  }

  /** Adds a hunk that names no file: to the only one, the one in question, or the only one with its old lines. */
  #addAnywhere({ hunk, line, isPlain }: OperationOf<"hunk">): void {
    const found = [...this.#files.keys()].flatMap((path) => {
      const edits = this.#editsOf(path);
      return edits ? [{ edits, placement: placeHunk(edits.index, hunk, this.#askedIn(path), this.#budget) }] : [];
    });
    const placed = found.filter(({ placement }) => placement.type === "placed");
    const asked = placed.filter(({ edits }) => edits.path === this.#asked?.path);
    const isDoubtful = found.some(({ placement }) => placement.type === "problem" && placement.kind === "ambiguous");
    const [only, ...others] = found.length === 1 ? found : asked.length === 1 ? asked : isDoubtful ? [] : placed;
    if (only && others.length === 0) only.edits.add(only.placement, line, isPlain);
    else this.#problems.push({ kind: isDoubtful || others.length > 0 ? "ambiguous" : "notFound", line });
  }

  #add(operation: Exclude<Operation, { readonly type: "replace" }>): void {
    const { path, line, type } = operation;
    const isNew = type === "create";
    const options = { mayHavePrefix: !isNew, asked: this.#asked?.path };
    const target = path === undefined ? undefined : resolvePath(path, isNew ? noFiles : this.#files, options);
    if (target?.type !== "file") {
      const kind = type === "problem" ? operation.kind : "outside";
      this.#problems.push({ kind, ...(path === undefined ? {} : { path }), line });
      return;
    }
    const edits = this.#editsOf(target.path);
    const fail = (kind: EditProblemKind): void => {
      if (edits) edits.fail(kind, line);
      else this.#problems.push({ kind, path: target.path, line });
    };
    if (type === "problem") fail(operation.kind);
    else if (type === "create") {
      if (this.#hasFile(target.path)) fail("exists");
      else this.#create(target.path, operation.lines, line);
    } else if (target.isAmbiguous) fail("ambiguous");
    else if (type === "hunk") {
      const { hunk, isPlain } = operation;
      if (edits) edits.add(placeHunk(edits.index, hunk, this.#askedIn(target.path), this.#budget), line, isPlain);
      else if (hunk.old.length > 0) fail("unknownFile");
      else this.#create(target.path, newFileLines(hunk.lines), line);
    } else if (type === "wholeFile") {
      const { lines, block } = operation;
      if (edits) edits.add(replaceFile(edits.index.file, target.path, lines, block, target.isGuess), line);
      else if (hasMarks(lines)) fail("malformed");
      else this.#create(target.path, newFileLines(lines), line);
    } else if (!edits) fail("unknownFile");
    else if (type === "delete") {
      if (edits.isDeleted) fail("overlap");
      edits.isDeleted = true;
    } else this.#rename(edits, operation);
  }

  #rename(edits: FileEdits, { newPath, line }: OperationOf<"rename">): void {
    const target = resolvePath(newPath, noFiles);
    if (target.type === "outside") edits.fail("outside", line);
    else if (this.#hasFile(target.path) || !this.#take(target.path, edits.path)) edits.fail("exists", line);
    else if (edits.newPath !== undefined && edits.newPath !== target.path) edits.fail("overlap", line);
    else edits.newPath = target.path;
  }

  #create(path: string, lines: readonly string[], line: number): void {
    const key = path.toLowerCase();
    const edits = this.#created.get(key) ?? new FileEdits(path, undefined);
    this.#created.set(key, edits);
    if (!this.#take(path, `new file in line ${line}`)) edits.fail("overlap", line);
    const none = { start: 0, end: 0 };
    edits.add({ type: "placed", edits: [{ ...none, lines }], match: "exact", around: none }, line);
  }

  /** Takes a path that was free. Only one file can be there. */
  #take(path: string, taker: string): boolean {
    const key = path.toLowerCase();
    const first = this.#takers.get(key) ?? taker;
    this.#takers.set(key, first);
    return first === taker;
  }

  /** Whether there is such a file; on some systems, the case of its name does not matter. */
  #hasFile(path: string): boolean {
    return this.#files.has(path) || [...this.#files.keys()].some((file) => file.toLowerCase() === path.toLowerCase());
  }

  #askedIn(path: string): AskedLines | undefined {
    return this.#asked?.path === path ? this.#asked : undefined;
  }

  #editsOf(path: string): FileEdits | undefined {
    const text = this.#files.get(path);
    if (text === undefined) return undefined;
    const edits = this.#edits.get(path) ?? new FileEdits(path, text);
    this.#edits.set(path, edits);
    return edits;
  }
}
