import { Budget } from "../place/fileIndex.ts";
import { placeHunk } from "../place/placeHunk.ts";
import { newFileLines, replaceAsked, replaceFile } from "../place/replaceWhole.ts";
import type { Operation, OperationOf } from "../read/operations.ts";
import { resolvePath } from "../read/paths.ts";
import type { AskedLines, EditProblem, EditProblemKind, FileChange, Resolution } from "../types.ts";
import { flawOf, hasMarks } from "./checks.ts";
import { FileEdits } from "./fileEdits.ts";
import { newFileText } from "./fileText.ts";

const noFiles: ReadonlyMap<string, string> = new Map();

/** Turns the edits of an answer into changes of files. */
export class Resolver {
  readonly #files: ReadonlyMap<string, string>;
  readonly #asked: AskedLines | undefined;
  readonly #edits = new Map<string, FileEdits>();
  /** The files that the answer creates. */
  readonly #created = new Map<string, FileChange>();
  /** The paths of new files, in lower case: on some systems, the case of a name does not matter. */
  readonly #taken = new Set<string>();
  /** Problems of edits whose file is unknown. Any file may be meant, so they keep all from being changed. */
  readonly #problems: EditProblem[] = [];
  /** Problems of new files, which concern no others. */
  readonly #ownProblems: EditProblem[] = [];
  readonly #budget = new Budget();

  constructor(files: ReadonlyMap<string, string>, asked: AskedLines | undefined) {
    this.#files = files;
    this.#asked = asked;
  }

  resolve(operations: readonly Operation[]): Resolution {
    const replacements = operations.filter(({ type }) => type === "replace").length;
    const seen = new Set<string>();
    for (const operation of operations) {
      if (operation.type === "replace") this.#addReplacement(operation, replacements);
      else if (operation.type !== "hunk") this.#addOther(operation);
      else {
        // An answer that repeats a hunk means it once.
        const key = JSON.stringify([operation.path, operation.hunk]);
        if (!seen.has(key)) this.#addHunk(operation);
        seen.add(key);
      }
    }
    const updates = [...this.#edits.values()].flatMap((edits) => edits.finish() ?? []);
    const problems = [...this.#problems, ...this.#ownProblems];
    for (const edits of this.#edits.values()) problems.push(...edits.problems);
    const failed = new Set(this.#ownProblems.map(({ path }) => path?.toLowerCase()));
    const created = [...this.#created.values()].filter(({ path }) => !failed.has(path.toLowerCase()));
    return {
      changes: this.#problems.length > 0 ? [] : [...updates, ...created],
      problems: problems.toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0)),
    };
  }

  #addReplacement({ lines, block, line }: OperationOf<"replace">, count: number): void {
    const edits = this.#asked && this.#editsOf(this.#asked.path);
    if (!this.#asked || !edits) this.#problems.push({ kind: "noTarget", line });
    else if (count > 1) edits.fail("several", line);
    else edits.add(replaceAsked(edits.index.file, this.#asked, lines, block), line);
  }

  #addHunk(operation: OperationOf<"hunk">): void {
    const { path, hunk, line, isPlain } = operation;
    if (path === undefined) {
      this.#addAnywhere(operation);
      return;
    }
    const resolved = resolvePath(path, this.#files, { mayHavePrefix: true, asked: this.#asked?.path });
    if (resolved.type === "outside") {
      this.#problems.push({ kind: "outside", path, line });
      return;
    }
    const edits = this.#editsOf(resolved.path);
    if (edits) edits.add(placeHunk(edits.index, hunk, this.#askedIn(resolved.path), this.#budget), line, isPlain);
    else if (resolved.isAmbiguous) this.#problems.push({ kind: "ambiguous", path: resolved.path, line });
    else if (hunk.old.length === 0) this.#create(resolved.path, newFileLines(hunk.lines), line);
    else this.#problems.push({ kind: "unknownFile", path: resolved.path, line });
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

  #addOther(operation: Exclude<Operation, { readonly type: "hunk" | "replace" }>): void {
    const { path, line, type } = operation;
    const isNew = type === "create";
    const options = { mayHavePrefix: !isNew, asked: this.#asked?.path };
    const resolved = path === undefined ? undefined : resolvePath(path, isNew ? noFiles : this.#files, options);
    if (path === undefined || resolved?.type !== "file") {
      const kind = type === "problem" ? operation.kind : "outside";
      this.#problems.push({ kind, ...(path === undefined ? {} : { path }), line });
      return;
    }
    const edits = this.#editsOf(resolved.path);
    const fail = (kind: EditProblemKind): void => {
      if (edits) edits.fail(kind, line);
      else this.#problems.push({ kind, path: resolved.path, line });
    };
    if (type === "problem") fail(operation.kind);
    else if (type === "create") {
      if (this.#hasFile(resolved.path)) fail("exists");
      else this.#create(resolved.path, operation.lines, line);
    } else if (type === "wholeFile") {
      const { lines, block } = operation;
      const isGuess = resolved.isGuess || operation.isDoubtful;
      if (edits) edits.add(replaceFile(edits.index.file, resolved.path, lines, block, isGuess), line);
      else if (resolved.isAmbiguous) fail("ambiguous");
      else if (hasMarks(lines)) fail("malformed");
      else this.#create(resolved.path, newFileLines(lines), line);
    } else if (!edits) fail(resolved.isAmbiguous ? "ambiguous" : "unknownFile");
    else if (type === "delete") edits.delete(line);
    else {
      const target = resolvePath(operation.newPath, noFiles);
      if (target.type === "outside") fail("outside");
      else if (this.#hasFile(target.path)) fail("exists");
      else if (!edits.isMovedTo(target.path) && !this.#take(target.path)) fail("exists");
      else edits.rename(target.path, line);
    }
  }

  #create(path: string, lines: readonly string[], line: number): void {
    const flaw = this.#take(path) ? flawOf(lines, []) : "overlap";
    if (flaw !== undefined) this.#ownProblems.push({ kind: flaw, path, line });
    const hunks = [{ start: 0, end: 0, lines, match: "exact" as const }];
    this.#created.set(path, { path, kind: "create", text: newFileText(lines), hunks });
  }

  /** Takes a path for a new file. Only one can be there. */
  #take(path: string): boolean {
    const isFree = !this.#taken.has(path.toLowerCase());
    this.#taken.add(path.toLowerCase());
    return isFree;
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
