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
      reader.addPaths(withoutTime(line.slice(4)), withoutTime(next.slice(4)), place.line + index);
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
  addPaths(old: string, path: string, line: number): void {
    this.#endFile();
    if (old === noPath) this.#created = { path: path.replace(/^b\//, ""), line, lines: [] };
    else if (path === noPath) this.#delete(old, line);
    else this.#path = this.#renamedFrom ?? path;
    this.#renamedFrom = undefined;
  }

  add(line: string, at: number): void {
    const [, verb = "", path = ""] = directive.exec(line) ?? [];
    if (verb !== "") {
      this.#endFile();
      if (/add|create/i.test(verb)) this.#created = { path: path.trim(), line: at, lines: [] };
      else if (/delete|remove/i.test(verb)) this.#delete(path.trim(), at);
      else this.#path = path.trim();
    } else if (envelope.test(line)) this.#endFile();
    else if (line.startsWith("diff --git ")) {
      this.#endFile();
      this.#renamedFrom = undefined;
    } else if (endOfFile.test(line)) this.#endHunk(true);
    else if (this.#created) this.#created.lines.push(line);
    else if (!this.#isDeleting) this.#addLine(line, at);
  }

  end(): readonly Operation[] {
    this.#endFile();
    return this.#operations;
  }

  #delete(path: string, line: number): void {
    this.#isDeleting = true;
    this.#operations.push({ type: "delete", path, line });
  }

  #addLine(line: string, at: number): void {
    const move = moveTo.exec(line)?.[1];
    const anchor = header.exec(line)?.[1];
    const [, way, path = ""] = (this.#hunk ? undefined : /^rename (from|to) (.+)$/.exec(line)) ?? [];
    if (move !== undefined) this.#rename(this.#path, move.trim(), at);
    else if (way === "from") this.#renamedFrom = path;
    else if (way === "to") this.#rename(this.#renamedFrom, path, at);
    else if (anchor !== undefined) {
      // Several headers in a row narrow the place down.
      if (this.#hunk?.isEmpty === false) this.#endHunk(false);
      this.#hunk ??= new HunkRows(at);
      this.#hunk.addAnchor(anchor.trimEnd().replace(/@@$/, "").trim());
    } else if (!line.startsWith("\\ ") && (this.#hunk !== undefined || (isFilled(line) && !extended.test(line)))) {
      this.#hunk ??= new HunkRows(at);
      const isMarked = this.#hunk.add(line);
      if (!isMarked && this.#place.isPlain && /^<(?:!--|\/?[a-z])/i.test(line)) this.#fail("html", at);
    }
  }

  #rename(path: string | undefined, newPath: string, line: number): void {
    if (path === undefined) this.#fail("malformed", line);
    else this.#operations.push({ type: "rename", path, newPath, line });
  }

  #endHunk(isAtEnd: boolean): void {
    const hunk = this.#hunk;
    this.#hunk = undefined;
    const reading = hunk?.end(isAtEnd);
    if (hunk?.isDoubtful === true) this.#fail("malformed", hunk.line);
    // What changes nothing is of interest only where it says which file it is about.
    else if (hunk && reading && (reading.marked?.length !== 0 || this.#path !== undefined)) {
      const [path, line] = [this.#path, hunk.line];
      const { isPlain } = this.#place;
      this.#operations.push({ type: "hunk", line, path, isInherited: false, readings: [reading], isPlain });
    }
  }

  #endFile(): void {
    this.#endHunk(false);
    if (this.#created) {
      const { path, line, lines } = this.#created;
      const texts = linesOfNewFile(lines);
      this.#operations.push(
        texts ? { type: "create", path, line, lines: texts } : { type: "problem", kind: "malformed", path, line },
      );
    }
    this.#created = undefined;
    this.#isDeleting = false;
    this.#path = this.#place.path;
  }

  #fail(kind: "malformed" | "html", line: number): void {
    this.#operations.push({ type: "problem", kind, path: this.#path, line });
  }
}

/** The rows of one hunk: context, removed, and added lines. */
class HunkRows {
  /** The line of the answer where the hunk starts. */
  readonly line: number;
  readonly #old: OldLine[] = [];
  readonly #lines: string[] = [];
  readonly #anchors: string[] = [];
  readonly #marked: LineChange[] = [];
  #hasBareText = false;

  constructor(line: number) {
    this.line = line;
  }

  get isEmpty(): boolean {
    return this.#old.length === 0 && this.#lines.length === 0;
  }

  /** Whether it changes nothing as written, but has lines that may have lost their marks. */
  get isDoubtful(): boolean {
    return this.#marked.length === 0 && this.#hasBareText;
  }

  addAnchor(anchor: string): void {
    if (anchor !== "" && !/^(?:\.{3}|…)$/.test(anchor)) this.#anchors.push(anchor);
  }

  /** Adds a row. Returns `false` for one without a mark, which counts as context. */
  add(row: string): boolean {
    const text = row.slice(1);
    if (row.startsWith("+")) this.#mark(this.#lines.push(text) - 1, false);
    else if (row.startsWith("-")) this.#mark(this.#old.push({ text, isRemoved: true }) - 1, true);
    else if (row.startsWith(" ")) {
      this.#old.push({ text, unstripped: row });
      this.#lines.push(text);
    } else {
      this.#old.push({ text: row });
      this.#lines.push(row);
      this.#hasBareText ||= isFilled(row);
      return false;
    }
    return true;
  }

  /** The hunk, which may change nothing and only show where others are; `undefined` if it has no code. */
  end(isAtEnd: boolean): Hunk | undefined {
    const [old, lines] = [this.#old, this.#lines];
    if (this.#marked.length === 0 && !old.some(({ text }) => isFilled(text))) return undefined;
    for (let last = old.at(-1); last?.text === "" && lines.at(-1) === ""; last = old.at(-1)) {
      if (last.isRemoved === true || last.unstripped !== undefined) break;
      old.pop();
      lines.pop();
    }
    return { old, lines, marked: this.#marked, anchors: this.#anchors, isAtEnd };
  }

  /** Notes that a row is removed or added: part of the same change as the row before if that is one. */
  #mark(at: number, isRemoved: boolean): void {
    const [end, newEnd] = [this.#old.length, this.#lines.length];
    const [start, newStart] = isRemoved ? [at, newEnd] : [end, at];
    const last = this.#marked.at(-1);
    if (last?.end === start && last.newEnd === newStart)
      this.#marked[this.#marked.length - 1] = { ...last, end, newEnd };
    else this.#marked.push({ start, end, newStart, newEnd });
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
