import { Budget } from "./budget.ts";
import { FileEdits } from "./fileEdits.ts";
import { hasMarks } from "./marks.ts";
import { NewFiles } from "./newFiles.ts";
import type { Operation } from "./operations.ts";
import { resolvePath } from "./paths.ts";
import { placeReadings } from "./placeReadings.ts";
import { newFileLines, replaceAsked, replaceFile } from "./replaceWhole.ts";
import type { AskedLines, EditProblem, EditProblemKind, Resolution } from "./types.ts";

type Only<T extends Operation["type"]> = Extract<Operation, { readonly type: T }>;

const noFiles: ReadonlyMap<string, string> = new Map();

/** Turns the edits of an answer into changes of files. */
export class Resolver {
  readonly #files: ReadonlyMap<string, string>;
  readonly #asked: AskedLines | undefined;
  readonly #edits = new Map<string, FileEdits>();
  readonly #newFiles = new NewFiles();
  /** Problems of edits whose file is unknown. Any file may be meant, so they keep all from being changed. */
  readonly #problems: EditProblem[] = [];
  readonly #budget = new Budget();
  /** How often the answer has each hunk. */
  readonly #times = new Map<string, number>();

  constructor(files: ReadonlyMap<string, string>, asked: AskedLines | undefined) {
    this.#files = files;
    this.#asked = asked;
  }

  add(operations: readonly Operation[]): void {
    const hunks = operations.filter((operation) => operation.type === "hunk");
    for (const hunk of hunks) this.#times.set(keyOf(hunk), (this.#times.get(keyOf(hunk)) ?? 0) + 1);
    const replacements = operations.filter(({ type }) => type === "replace");
    for (const operation of operations) {
      if (operation.type === "replace") this.#addReplacement(operation, replacements.length);
      else if (operation.type === "hunk") this.#addHunk(operation);
      else this.#addOther(operation);
    }
  }

  finish(): Resolution {
    const updates = [...this.#edits.values()].flatMap((edits) => edits.finish() ?? []);
    const problems = [...this.#problems, ...this.#newFiles.problems];
    for (const edits of this.#edits.values()) problems.push(...edits.problems);
    const changes = this.#problems.length > 0 ? [] : [...updates, ...this.#newFiles.changes];
    return { changes, problems: problems.toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0)) };
  }

  #addReplacement({ lines, block, line }: Only<"replace">, count: number): void {
    const asked = this.#asked;
    const edits = asked && this.#editsOf(asked.path);
    if (!asked || !edits) this.#problems.push({ kind: "noTarget", line });
    else if (count > 1) edits.fail("several", line);
    else edits.add(replaceAsked(edits.index.file, asked, lines, block), line);
  }

  #addHunk(hunk: Only<"hunk">): void {
    const key = keyOf(hunk);
    const times = this.#times.get(key) ?? 0;
    // All hunks that are alike are placed with the first.
    if (times === 0) return;
    this.#times.delete(key);
    const { path, readings, line, isInherited } = hunk;
    if (path === undefined) {
      this.#addAnywhere(hunk, times);
      return;
    }
    const resolved = resolvePath(path, this.#files, true);
    if (resolved.type === "outside") {
      this.#problems.push({ kind: "outside", path, line });
      return;
    }
    const edits = this.#editsOf(resolved.path);
    const isNew = readings.every(({ old }) => old.length === 0);
    if (!edits && isNew) this.#newFiles.add(resolved.path, newFileLines(readings[0]?.lines ?? []), line);
    else if (!edits) this.#problems.push({ kind: "unknownFile", path: resolved.path, line });
    else {
      const placements = placeReadings(edits.index, readings, this.#askedIn(resolved.path), this.#budget, times);
      if (isInherited && placements[0]?.type === "problem" && placements[0].kind === "notFound") {
        this.#addAnywhere(hunk, times, edits);
      } else for (const placement of placements) edits.add(placement, line, hunk.isPlain);
    }
  }

  /**
   * Adds a hunk that names no file itself: to the only one, or the only one with its old lines. `likely` is the file of
   * the hunk before.
   */
  #addAnywhere({ readings, line, isPlain }: Only<"hunk">, times: number, likely?: FileEdits): void {
    const found = [...this.#files.keys()].flatMap((path) => {
      const edits = this.#editsOf(path);
      if (!edits) return [];
      return [{ edits, placements: placeReadings(edits.index, readings, this.#askedIn(path), this.#budget, times) }];
    });
    const placed = found.filter(({ placements }) => placements.every(({ type }) => type === "placed"));
    const asked = placed.filter(({ edits }) => edits.path === this.#asked?.path);
    const isDoubtful = found.some(({ placements: [first] }) => first?.type === "problem" && first.kind === "ambiguous");
    const [only, ...others] = found.length === 1 ? found : asked.length === 1 ? asked : isDoubtful ? [] : placed;
    if (only && others.length === 0) {
      for (const placement of only.placements) only.edits.add(placement, line, isPlain);
    } else {
      const kind = isDoubtful || placed.length > 1 ? "ambiguous" : "notFound";
      if (likely && kind === "notFound") likely.fail(kind, line);
      else this.#problems.push({ kind, line });
    }
  }

  #addOther(operation: Exclude<Operation, { readonly type: "hunk" | "replace" }>): void {
    const { path, line } = operation;
    const isNew = operation.type === "create";
    const resolved = path === undefined ? undefined : resolvePath(path, isNew ? noFiles : this.#files, !isNew);
    if (path === undefined || resolved?.type !== "file") {
      const kind = operation.type === "problem" ? operation.kind : "outside";
      this.#problems.push({ kind, ...(path === undefined ? {} : { path }), line });
      return;
    }
    const edits = this.#editsOf(resolved.path);
    const fail = (kind: EditProblemKind): void => {
      if (edits) edits.fail(kind, line);
      else this.#problems.push({ kind, path: resolved.path, line });
    };
    if (operation.type === "problem") fail(operation.kind);
    else if (operation.type === "create") {
      if (this.#hasFile(resolved.path)) fail("exists");
      else this.#newFiles.add(resolved.path, operation.lines, line);
    } else if (operation.type === "wholeFile") {
      const { lines, block, isDoubtful } = operation;
      if (!edits && this.#isEndOfSeveral(resolved.path)) fail("ambiguous");
      else if (!edits && hasMarks(lines)) fail("malformed");
      else if (!edits) this.#newFiles.add(resolved.path, newFileLines(lines), line);
      else {
        const isGuess = resolved.isGuess || isDoubtful;
        edits.add(replaceFile(edits.index.file, resolved.path, lines, block, isGuess), line);
      }
    } else if (!edits) fail("unknownFile");
    else if (operation.type === "delete") edits.delete(line);
    else this.#rename(edits, operation, fail);
  }

  #rename(edits: FileEdits, { newPath, line }: Only<"rename">, fail: (kind: EditProblemKind) => void): void {
    const target = resolvePath(newPath, noFiles);
    if (target.type === "outside") fail("outside");
    else if (this.#hasFile(target.path)) fail("exists");
    else if (!edits.isMovedTo(target.path) && !this.#newFiles.take(target.path)) fail("exists");
    else edits.rename(target.path, line);
  }

  /** Whether there is such a file; on some systems, the case of its name does not matter. */
  #hasFile(path: string): boolean {
    const lower = path.toLowerCase();
    return [...this.#files.keys()].some((file) => file.toLowerCase() === lower);
  }

  /** Whether a path may be short for several files. */
  #isEndOfSeveral(path: string): boolean {
    return [...this.#files.keys()].filter((file) => file.endsWith(`/${path}`)).length > 1;
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

function keyOf({ path, readings }: Only<"hunk">): string {
  return JSON.stringify([path, readings]);
}
