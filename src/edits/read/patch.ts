import type { LineChange } from "../../text/diffLines.ts";
import { hasText } from "../../text/lines.ts";
import type { Hunk, Operation } from "../types.ts";

const directive = /^\s*\*{3} (Update|Add|Delete) File:(.+)$/i;
const moveTo = /^\s*\*{3} Move to:(.+)$/i;
const endOfFile = /^\s*\*{3} End of File\s*$/i;
const envelope = /^\s*\*{3} (?:Begin|End) Patch\s*$/;
const header = /^@@(?: -\d+(?:,\d+)? \+\d+(?:,\d+)?(?: @@)?)?(.*)$/;
/** Lines of `git diff` before the hunks of a file, and "\ No newline at end of file". */
const extended =
  /^(?:index [\da-f]+\.\.|(?:new|deleted) file mode |(?:old|new) mode |(?:dis)?similarity index |rename (?:from|to) |\\ )/;
/** Changes that are not shown as text. */
const unreadable = /^(?:copy (?:from|to) |Binary files |GIT binary patch)/;
const noPath = "/dev/null";
const verbs = ["update", "add", "delete"] as const;

/** The part of a patch about one file. */
interface FilePart {
  verb: "update" | "add" | "delete";
  path: string | undefined;
  newPath?: string;
  readonly line: number;
  readonly rows: { readonly row: string; readonly line: number }[];
}

/**
 * Reads OpenAI's patch format (V4A) and unified diffs, whose hunks are alike. Line numbers and counts are ignored, because
 * models get them wrong. The patch starts at line `first` of the answer; `given` is the path above it.
 */
export function readPatch(lines: readonly string[], first: number, given: string | undefined): readonly Operation[] {
  return partsOf(lines, first, given).flatMap((part): readonly Operation[] => {
    const { verb, path, newPath, line, rows } = part;
    const isUnreadable = rows.some(({ row }) => unreadable.test(row));
    if (isUnreadable) return [{ type: "problem", kind: "malformed", path, line }];
    if (path === undefined) return readUpdate(part);
    const moved: Operation[] = newPath === undefined ? [] : [{ type: "rename", path, newPath, line }];
    if (verb === "update") {
      const operations = [...moved, ...readUpdate(part)];
      // The hunks of a file may be in another part that names it.
      const isEmpty = operations.length === 0 && path !== given;
      return isEmpty ? [{ type: "problem", kind: "noChange", path, line }] : operations;
    }
    if (verb === "delete") return [{ type: "delete", path, line }];
    const added = linesOfNewFile(rows.map(({ row }) => row));
    return [added ? { type: "create", path, line, lines: added } : { type: "problem", kind: "malformed", path, line }];
  });
}

function partsOf(lines: readonly string[], first: number, given: string | undefined): readonly FilePart[] {
  const parts: FilePart[] = [];
  const start = (verb: string, path: string | undefined, line: number): FilePart => {
    const part = { verb: verbs.find((one) => one === verb.toLowerCase()) ?? "update", path, line, rows: [] };
    parts.push(part);
    return part;
  };
  let part = start("update", given, first);
  /** Whether these are the lines of `git diff` before the hunks of a file. */
  let isHead = false;
  for (let index = 0; index < lines.length; index += 1) {
    const [row = "", next = "", line] = [lines[index], lines[index + 1], first + index];
    // In a hunk, what follows a space is context, even if it looks like a mark.
    const mark = part.verb === "update" && part.rows.length > 0 && row.startsWith(" ") ? "" : row;
    const [, verb, path = ""] = directive.exec(mark) ?? [];
    // Rows that remove "-- x" and add "++ y" look like the paths of a file, but no hunk follows.
    const isPair = /^--- \S/.test(row) && /^\+\+\+ \S/.test(next);
    if (isPair && (isHead || part.rows.length === 0 || (lines[index + 2] ?? "@@").startsWith("@@"))) {
      const [old, changed] = [pathOfRow(row.slice(4)), pathOfRow(next.slice(4))];
      const isNamed = isHead && part.path !== undefined;
      const kind = old === noPath ? "add" : changed === noPath ? "delete" : "update";
      if (!isNamed) part = start(kind, pathWithoutPrefix(old, changed), line);
      isHead = false;
      index += 1;
    } else if (verb !== undefined) part = start(verb, path.trim(), line);
    else if (envelope.test(mark)) part = start("update", given, line);
    else if (row.startsWith("diff --git ")) {
      part = start("update", pathOfGit(row.slice("diff --git ".length).replaceAll('"', "")), line);
      isHead = true;
    } else if (isHead && extended.test(row)) readHead(part, row);
    else {
      isHead = false;
      part.rows.push({ row, line });
    }
  }
  return parts;
}

/** Reads a line of `git diff` before the hunks of a file. */
function readHead(part: FilePart, row: string): void {
  const [, kind, path = ""] = /^(rename from|rename to|new file mode|deleted file mode) (.*)$/.exec(row) ?? [];
  if (kind === "rename from") part.path = path;
  else if (kind === "rename to") part.newPath = path;
  else if (kind !== undefined) part.verb = kind === "new file mode" ? "add" : "delete";
}

/** The path in a line "diff --git a/path b/path". */
function pathOfGit(names: string): string | undefined {
  const middle = (names.length - 1) / 2;
  const [old, changed] = [names.slice(0, middle), names.slice(middle + 1)];
  if (names[middle] !== " ") return undefined;
  return old === changed || old.slice(2) === changed.slice(2) ? pathWithoutPrefix(old, changed) : undefined;
}

/**
 * The new path of a file in a diff or, if the file is deleted, the old one, without the prefixes of Git: "a/" and "b/", or two
 * of "c/", "i/", "o/" and "w/" (`diff.mnemonicPrefix`).
 */
function pathWithoutPrefix(old: string, changed: string): string {
  const [from, to] = [old.replace(/^[acio]\//, ""), changed.replace(/^[biw]\//, "")];
  if (old === noPath) return changed.replace(/^b\//, "");
  if (changed === noPath) return old.replace(/^a\//, "");
  const isPrefixed = from === to || to === old || (old.startsWith("a/") && changed.startsWith("b/"));
  return isPrefixed && old !== changed ? to : changed;
}

function readUpdate({ path, rows: all }: FilePart): readonly Operation[] {
  const operations: Operation[] = [];
  let open: { readonly line: number; readonly anchors: string[]; readonly rows: string[] } | undefined;
  const fail = (line: number): void => {
    operations.push({ type: "problem", kind: "malformed", path, line });
  };
  const end = (isAtEnd: boolean): void => {
    if (!open) return;
    const { line, anchors, rows } = open;
    open = undefined;
    const hunk = { ...readRows(rows), anchors, isAtEnd };
    const isIdle = hunk.marked.length === 0;
    // A hunk without changes has lost its marks, or it quotes the code around others.
    if (isIdle && rows.some((row) => /^[^\s\\]/.test(row))) fail(line);
    else if (!isIdle || (path !== undefined && hunk.old.some(hasText))) {
      operations.push({ type: "hunk", line, path, hunk });
    }
  };
  for (const { row, line } of all) {
    const mark = open && row.startsWith(" ") ? "" : row;
    const [move, anchor] = [moveTo.exec(mark)?.[1], header.exec(mark)?.[1]];
    if (endOfFile.test(mark)) end(true);
    else if (move !== undefined) {
      if (path === undefined) fail(line);
      else operations.push({ type: "rename", path, newPath: move.trim(), line });
    } else if (anchor !== undefined) {
      // Several headers in a row belong to one hunk.
      if (open && open.rows.length > 0) end(false);
      open ??= { line, anchors: [], rows: [] };
      const text = anchor.trimEnd().replace(/@@$/, "").trim();
      if (text !== "" && !/^(?:\.{3}|…)$/.test(text)) open.anchors.push(text);
    } else if (open ? !row.startsWith("\\ ") : hasText(row) && !extended.test(row)) {
      open ??= { line, anchors: [], rows: [] };
      open.rows.push(row);
    }
  }
  end(false);
  return operations;
}

/** Reads context, removed and added lines. Rows without a mark are context; empty rows at the end only separate hunks. */
function readRows(rows: readonly string[]): Required<Pick<Hunk, "old" | "lines" | "marked">> {
  const [old, lines]: [string[], string[]] = [[], []];
  const marked: LineChange[] = [];
  for (const row of rows.slice(0, rows.findLastIndex((one) => one !== "") + 1)) {
    const [start, newStart, mark = ""] = [old.length, lines.length, /^[ +-]/.exec(row)?.[0]];
    const text = row.slice(mark.length);
    if (mark !== "+") old.push(text);
    if (mark !== "-") lines.push(text);
    if (mark !== "+" && mark !== "-") continue;
    const last = marked.at(-1);
    const isNext = last?.end === start && last.newEnd === newStart;
    const from = isNext ? last : { start, newStart };
    marked.splice(isNext ? -1 : marked.length, 1, { ...from, end: old.length, newEnd: lines.length });
  }
  return { old, lines, marked };
}

/** A path in a unified diff without the time after it, and without the quotes that Git puts around some. */
function pathOfRow(text: string): string {
  const path = text.replace(/(?:\t|(?<!\s)\s+\d{4}-\d\d-\d\d ).*$/, "").trim();
  return path.replace(/^"(.*)"$/, "$1");
}

/** The lines of a new file. All of them or none are marked with "+"; `undefined` otherwise. */
function linesOfNewFile(lines: readonly string[]): readonly string[] | undefined {
  const rows = lines.filter((line) => ![/^@@(?: |$)/, extended, endOfFile].some((pattern) => pattern.test(line)));
  const filled = rows.slice(0, rows.findLastIndex((line) => line !== "") + 1);
  if (filled.every((line) => line === "" || line.startsWith("+"))) return filled.map((line) => line.slice(1));
  return filled.some((line) => line.startsWith("+")) ? undefined : filled;
}
