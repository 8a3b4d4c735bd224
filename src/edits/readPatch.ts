import { HunkRows } from "./hunkRows.ts";
import type { Operation } from "./operations.ts";

/** Where a patch stands in an answer. */
interface PatchPlace {
  /** The line of the answer where it starts. */
  readonly line: number;
  /** The path named before it, for hunks without one. */
  readonly path: string | undefined;
  readonly isPlain: boolean;
}

const directive = /^\s*\*{3} (Update|Add|Delete|Create|Remove|Modify) File:(.+)$/i;
const moveTo = /^\s*\*{3} Move to:(.+)$/i;
const endOfFile = /^\s*\*{3} End of File\s*$/i;
const envelope = /^\s*\*{3} (?:Begin|End) Patch\s*$/;
const header = /^@@(?: -\d+(?:,\d+)? \+\d+(?:,\d+)?(?: @@)?)?(.*)$/;
/** Lines of `git diff` before a file's hunks. */
const extended =
  /^(?:index [\da-f]+\.\.|(?:new|deleted) file mode |(?:old|new) mode |(?:dis)?similarity index |copy (?:from|to) )/;
const noPath = "/dev/null";

/**
 * Reads OpenAI's patch format (V4A) and unified diffs, whose hunks are alike. Line numbers and counts are ignored:
 * models get them wrong.
 */
export function readPatch(lines: readonly string[], place: PatchPlace): readonly Operation[] {
  const reader = new PatchReader(place);
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? "";
    const next = lines[index + 1] ?? "";
    if (/^--- \S/.test(line) && /^\+\+\+ \S/.test(next)) {
      reader.addPaths(line.slice(4), next.slice(4), place.line + index);
      index += 1;
    } else reader.add(line, place.line + index);
  }
  return reader.end();
}

class PatchReader {
  readonly #place: PatchPlace;
  readonly #operations: Operation[] = [];
  #path: string | undefined;
  /** The new file whose lines follow. */
  #created: { readonly path: string; readonly line: number; readonly lines: string[] } | undefined;
  /** Whether the hunks that follow belong to a file that the patch deletes. */
  #isDeleting = false;
  #hunk: HunkRows | undefined;
  #renamedFrom: string | undefined;

  constructor(place: PatchPlace) {
    this.#place = place;
    this.#path = place.path;
  }

  /** Adds the two lines with the paths of a unified diff. */
  addPaths(from: string, to: string, line: number): void {
    this.#endFile();
    const [old, path] = [withoutTime(from), withoutTime(to)];
    if (old === noPath) this.#create(path.replace(/^b\//, ""), line);
    else if (path === noPath) {
      this.#isDeleting = true;
      this.#operations.push({ type: "delete", path: old, line });
    } else this.#path = this.#renamedFrom ?? path;
    this.#renamedFrom = undefined;
  }

  add(line: string, at: number): void {
    const [, verb = "", path = ""] = directive.exec(line) ?? [];
    if (verb !== "") this.#addDirective(verb.toLowerCase(), path.trim(), at);
    else if (envelope.test(line)) this.#endFile();
    else if (line.startsWith("diff --git ")) this.#startFile();
    else if (endOfFile.test(line)) this.#endHunk(true);
    else if (this.#created) this.#created.lines.push(line);
    else if (!this.#isDeleting) this.#addLine(line, at);
  }

  end(): readonly Operation[] {
    this.#endFile();
    return this.#operations;
  }

  #startFile(): void {
    this.#endFile();
    this.#renamedFrom = undefined;
  }

  #addDirective(verb: string, path: string, line: number): void {
    this.#endFile();
    if (verb === "add" || verb === "create") this.#create(path, line);
    else if (verb === "delete" || verb === "remove") {
      this.#isDeleting = true;
      this.#operations.push({ type: "delete", path, line });
    } else this.#path = path;
  }

  #create(path: string, line: number): void {
    this.#created = { path, line, lines: [] };
  }

  #addLine(line: string, at: number): void {
    const move = moveTo.exec(line)?.[1];
    const [, from] = /^rename from (.+)$/.exec(line) ?? [];
    const [, to] = /^rename to (.+)$/.exec(line) ?? [];
    const anchor = header.exec(line)?.[1];
    if (move !== undefined) this.#rename(this.#path, move.trim(), at);
    else if (this.#hunk === undefined && from !== undefined) this.#renamedFrom = from;
    else if (this.#hunk === undefined && to !== undefined) this.#rename(this.#renamedFrom, to, at);
    else if (anchor !== undefined) this.#addHeader(anchor, at);
    else if (line.startsWith("\\ ") || (this.#hunk === undefined && extended.test(line))) return;
    else this.#addRow(line, at);
  }

  #rename(path: string | undefined, newPath: string, line: number): void {
    if (path === undefined) this.#operations.push({ type: "problem", kind: "malformed", path, line });
    else this.#operations.push({ type: "rename", path, newPath, line });
  }

  #addHeader(text: string, line: number): void {
    // Several headers in a row narrow the place down.
    if (this.#hunk?.isEmpty === false) this.#endHunk(false);
    this.#hunk ??= new HunkRows(line);
    const anchor = text.trimEnd().replace(/@@$/, "").trim();
    if (anchor !== "" && !/^(?:\.{3}|…)$/.test(anchor)) this.#hunk.addAnchor(anchor);
  }

  #addRow(line: string, at: number): void {
    if (this.#hunk === undefined && line.trim() === "") return;
    this.#hunk ??= new HunkRows(at);
    const isMarked = this.#hunk.add(line);
    if (!isMarked && this.#place.isPlain && /^<(?:!--|\/?[a-z])/i.test(line)) {
      this.#operations.push({ type: "problem", kind: "html", path: this.#path, line: at });
    }
  }

  #endHunk(isAtEnd: boolean): void {
    const hunk = this.#hunk;
    this.#hunk = undefined;
    const reading = hunk?.end(isAtEnd);
    if (hunk?.isDoubtful) {
      this.#operations.push({ type: "problem", kind: "malformed", path: this.#path, line: hunk.line });
    }
    if (!hunk || !reading || hunk.isDoubtful) return;
    // What changes nothing is of interest only where it says which file it is about.
    if (reading.marked?.length === 0 && this.#path === undefined) return;
    const { isPlain } = this.#place;
    const { line } = hunk;
    this.#operations.push({ type: "hunk", line, path: this.#path, isInherited: false, readings: [reading], isPlain });
  }

  #endFile(): void {
    this.#endHunk(false);
    if (this.#created) {
      const { path, line, lines } = this.#created;
      const texts = linesOfNewFile(lines);
      if (texts) this.#operations.push({ type: "create", path, line, lines: texts });
      else this.#operations.push({ type: "problem", kind: "malformed", path, line });
    }
    this.#created = undefined;
    this.#isDeleting = false;
    this.#path = this.#place.path;
  }
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
  const rows = lines.filter((line) => !/^@@(?: |$)/.test(line) && !extended.test(line) && !line.startsWith("\\ "));
  const end = rows.findLastIndex((line) => line !== "") + 1;
  const filled = rows.slice(0, end);
  if (filled.every((line) => line === "" || line.startsWith("+"))) return filled.map((line) => line.slice(1));
  return filled.some((line) => line.startsWith("+")) ? undefined : filled;
}
