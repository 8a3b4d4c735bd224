import type { LineChange } from "../../text/diffLines.ts";
import { isFilled } from "../../text/lines.ts";
import type { Hunk, Operation } from "../types.ts";

const directive = /^\s*\*{3} (Update|Add|Delete) File:(.+)$/i;
const moveTo = /^\s*\*{3} Move to:(.+)$/i;
const endOfFile = /^\s*\*{3} End of File\s*$/i;
const envelope = /^(?:\s*\*{3} (?:Begin|End) Patch\s*$|diff --git )/;
const header = /^@@(?: -\d+(?:,\d+)? \+\d+(?:,\d+)?(?: @@)?)?(.*)$/;
/** Lines of `git diff` before a file's hunks, and the one at the end of a file without a newline. */
const extended =
  /^(?:index [\da-f]+\.\.|(?:new|deleted) file mode |(?:old|new) mode |(?:dis)?similarity index |copy (?:from|to) |\\ )/;
const noPath = "/dev/null";
const verbs = ["update", "add", "delete"] as const;

/** What a patch says about one file. */
interface FilePart {
  readonly verb: "update" | "add" | "delete";
  readonly path: string | undefined;
  readonly line: number;
  readonly rows: { readonly row: string; readonly line: number }[];
}

/**
 * Reads OpenAI's patch format (V4A) and unified diffs, whose hunks are alike. Line numbers and counts are ignored:
 * models get them wrong. `first` is the line of the answer where the patch starts, and `given` the path named before it.
 */
export function readPatch(lines: readonly string[], first: number, given: string | undefined): readonly Operation[] {
  return partsOf(lines, first, given).flatMap((part): readonly Operation[] => {
    const { verb, path, line } = part;
    if (verb === "update" || path === undefined) return readUpdate(part);
    if (verb === "delete") return [{ type: "delete", path, line }];
    const added = linesOfNewFile(part.rows.map(({ row }) => row));
    return [added ? { type: "create", path, line, lines: added } : { type: "problem", kind: "malformed", path, line }];
  });
}

function partsOf(lines: readonly string[], first: number, given: string | undefined): readonly FilePart[] {
  const parts: FilePart[] = [];
  let rows: FilePart["rows"] = [];
  const start = (verb: string, path: string | undefined, line: number): void => {
    rows = [];
    parts.push({ verb: verbs.find((one) => one === verb.toLowerCase()) ?? "update", path, line, rows });
  };
  start("update", given, first);
  for (let index = 0; index < lines.length; index += 1) {
    const [row = "", next = "", line] = [lines[index], lines[index + 1], first + index];
    const [, verb, path = ""] = directive.exec(row) ?? [];
    if (/^--- \S/.test(row) && /^\+\+\+ \S/.test(next)) {
      const [old, changed] = [withoutTime(row.slice(4)), withoutTime(next.slice(4))];
      if (old === noPath) start("add", changed.replace(/^b\//, ""), line);
      else start(changed === noPath ? "delete" : "update", changed === noPath ? old : changed, line);
      index += 1;
    } else if (verb !== undefined) start(verb, path.trim(), line);
    else if (envelope.test(row)) start("update", given, line);
    else rows.push({ row, line });
  }
  return parts;
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
    // What changes nothing has lost its marks, or it shows where others are and which file they are about.
    if (isIdle && rows.some((row) => /^[^\s\\]/.test(row))) fail(line);
    else if (!isIdle || (path !== undefined && hunk.old.some(isFilled))) {
      operations.push({ type: "hunk", line, path, hunk });
    }
  };
  for (const { row, line } of all) {
    const [move, anchor] = [moveTo.exec(row)?.[1], header.exec(row)?.[1]];
    if (endOfFile.test(row)) end(true);
    else if (move !== undefined) {
      if (path === undefined) fail(line);
      else operations.push({ type: "rename", path, newPath: move.trim(), line });
    } else if (anchor !== undefined) {
      // Several headers in a row narrow the place down.
      if (open && open.rows.length > 0) end(false);
      open ??= { line, anchors: [], rows: [] };
      const text = anchor.trimEnd().replace(/@@$/, "").trim();
      if (text !== "" && !/^(?:\.{3}|…)$/.test(text)) open.anchors.push(text);
    } else if (open ? !row.startsWith("\\ ") : isFilled(row) && !extended.test(row)) {
      open ??= { line, anchors: [], rows: [] };
      open.rows.push(row);
    }
  }
  end(false);
  return operations;
}

/** Reads context, removed, and added lines. Rows without a mark are context; at the end, they only separate hunks. */
function readRows(rows: readonly string[]): Required<Pick<Hunk, "old" | "lines" | "marked" | "unmarked">> {
  const [old, unmarked, lines]: [string[], string[], string[]] = [[], [], []];
  const marked: LineChange[] = [];
  for (const row of rows.slice(0, rows.findLastIndex((one) => one !== "") + 1)) {
    const [start, newStart, mark = ""] = [old.length, lines.length, /^[ +-]/.exec(row)?.[0]];
    const text = row.slice(mark.length);
    if (mark !== "+") {
      old.push(text);
      unmarked.push(mark === "-" ? text : row);
    }
    if (mark !== "-") lines.push(text);
    if (mark !== "+" && mark !== "-") continue;
    const last = marked.at(-1);
    const isNext = last?.end === start && last.newEnd === newStart;
    const from = isNext ? last : { start, newStart };
    marked.splice(isNext ? -1 : marked.length, 1, { ...from, end: old.length, newEnd: lines.length });
  }
  return { old, unmarked, lines, marked };
}

/** A path of a unified diff without the time that may follow it. */
function withoutTime(path: string): string {
  return path.replace(/(?:\t|(?<!\s)\s+\d{4}-\d\d-\d\d ).*$/, "").trim();
}

/** The lines of a new file, all marked with "+" or, as models drift, none. `undefined` if only some are. */
function linesOfNewFile(lines: readonly string[]): readonly string[] | undefined {
  const rows = lines.filter((line) => ![/^@@(?: |$)/, extended, endOfFile].some((pattern) => pattern.test(line)));
  const filled = rows.slice(0, rows.findLastIndex((line) => line !== "") + 1);
  if (filled.every((line) => line === "" || line.startsWith("+"))) return filled.map((line) => line.slice(1));
  return filled.some((line) => line.startsWith("+")) ? undefined : filled;
}
