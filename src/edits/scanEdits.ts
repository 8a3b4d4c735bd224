import { isFilled } from "../text/lines.ts";
import { withoutStart } from "./indentation.ts";
import type { Operation } from "./operations.ts";
import { pathInLine } from "./paths.ts";
import { readPatch } from "./readPatch.ts";
import { readSearchReplace } from "./readSearchReplace.ts";
import { countsOf, endOfDiff, endsPatch, startsDiff, startsPatch, startsSearch } from "./regions.ts";

/** Where the lines to scan stand in the answer. */
export interface ScanPlace {
  readonly line: number;
  /** The path named before the lines. */
  readonly path: string | undefined;
  readonly isPlain: boolean;
  /** Whether Markdown hides a line. */
  readonly isHidden: (index: number) => boolean;
  /** Whether nothing but these lines follows in the answer, which has no newline at its end. */
  readonly isLast: boolean;
}

/** The edits in some lines. */
export interface Scanned {
  readonly operations: readonly Operation[];
  /** Whether the last one lacks its end. */
  readonly isOpen: boolean;
  /** The line after the last edit. */
  readonly end: number;
}

/** What one edit in the lines comes to. */
interface Found {
  readonly operations: readonly Operation[];
  readonly end: number;
  readonly isOpen?: boolean;
}

const directive = /^\s*\*{3} (?:Update|Add|Delete) File:/;
const partialMarker = /^\s*(?:<+\s*S?E?A?R?C?|[`~]{1,2}|\*{3} B(?:e(?:g(?:i(?:n(?: P(?:a(?:t(?:ch?)?)?)?)?)?)?)?)?)$/;

/** Whether an edit with marks of its own starts with this line. */
export function startsEdit(lines: readonly string[], index: number): boolean {
  const line = lines[index] ?? "";
  return startsSearch(line) || startsPatch(line) || directive.test(line) || startsDiff(lines, index);
}

/** Finds the edits with marks of their own: SEARCH/REPLACE blocks, patches and unified diffs. */
export function scanEdits(lines: readonly string[], files: ReadonlyMap<string, unknown>, place: ScanPlace): Scanned {
  const operations: Operation[] = [];
  let end = 0;
  let { path } = place;
  let isInherited = false;
  for (let index = 0; index < lines.length; index += 1) {
    if (!startsEdit(lines, index)) continue;
    const named = pathAbove(lines, index, end, files);
    if (named !== undefined) [path, isInherited] = [named, false];
    const found = startsSearch(lines[index] ?? "")
      ? searchAt(lines, index, path, isInherited, place)
      : patchAt(lines, index, named ?? place.path, place);
    if (place.isHidden(index)) operations.push({ type: "problem", kind: "html", path, line: place.line + index });
    else operations.push(...found.operations);
    end = found.end;
    if (found.isOpen === true) return { operations, isOpen: true, end };
    isInherited = true;
    index = end - 1;
  }
  const last = lines.findLast(isFilled) ?? "";
  return { operations, isOpen: place.isLast && partialMarker.test(last), end };
}

/** The path in the line above an edit, which may be separated by a blank line. */
function pathAbove(
  lines: readonly string[],
  index: number,
  end: number,
  files: ReadonlyMap<string, unknown>,
): string | undefined {
  for (let above = index - 1; above >= Math.max(end, index - 2); above -= 1) {
    const line = lines[above] ?? "";
    if (line.trim() !== "") return pathInLine(line, files)?.path;
  }
  return undefined;
}

function searchAt(
  lines: readonly string[],
  index: number,
  path: string | undefined,
  isInherited: boolean,
  { line: first, isPlain }: ScanPlace,
): Found {
  const line = first + index;
  const block = readSearchReplace(lines, index);
  if (block.type === "block") {
    return {
      operations: [{ type: "hunk", line, path, isInherited, readings: block.readings, isPlain }],
      end: block.end,
    };
  }
  if (block.type === "malformed") {
    return { operations: [{ type: "problem", kind: "malformed", path, line }], end: block.end };
  }
  return { operations: [{ type: "problem", kind: "cutOff", path, line }], end: lines.length, isOpen: true };
}

function patchAt(lines: readonly string[], index: number, path: string | undefined, place: ScanPlace): Found {
  const line = place.line + index;
  const isDiff = startsDiff(lines, index);
  const diff = isDiff ? endOfDiff(lines, index) : undefined;
  const close = diff?.end ?? endOfPatch(lines, index);
  // Without its first line, a patch in a block ends where the block does.
  const end = close === 0 && !place.isPlain && !startsPatch(lines[index] ?? "") ? lines.length : close;
  const isLast = isDiff && place.isPlain && end > lines.findLastIndex(isFilled);
  const isShort = isLast && isCutOff(lines.slice(index), place.isLast);
  const isOpen = end === 0 || (isShort && place.isLast);
  if (isOpen) return { operations: [{ type: "problem", kind: "cutOff", path, line }], end: lines.length, isOpen };
  if (diff?.isDoubtful === true || isShort)
    return { operations: [{ type: "problem", kind: "malformed", path, line }], end };
  const [start = ""] = /^(?: {0,3}> )*[ \t]*/.exec(lines[index] ?? "") ?? [];
  const patch = withoutStart(lines.slice(index, end), start);
  return { operations: readPatch(patch, { line, path, isPlain: place.isPlain }), end };
}

/** The line after the end of a patch; 0 if it has none. */
function endOfPatch(lines: readonly string[], start: number): number {
  for (let index = start + 1; index < lines.length; index += 1) if (endsPatch(lines[index] ?? "")) return index + 1;
  return 0;
}

/**
 * Whether the last hunk of a unified diff has fewer lines than its header says. At the end of the answer, where
 * `isLast`, its last line may itself be cut off.
 */
export function isCutOff(lines: readonly string[], isLast: boolean): boolean {
  const start = lines.findLastIndex((line) => /^[\s>]*@@/.test(line));
  const rows = lines.slice(start + 1);
  while (rows.at(-1) === "") rows.pop();
  if (isLast && (rows.length === 0 || /^(?:diff |index )/.test(rows.at(-1) ?? ""))) return true;
  const texts = rows.map((row) => row.replace(/^(?: {0,3}> )+/, ""));
  const [oldCount, newCount] = countsOf(lines[start] ?? "");
  const added = texts.filter((row) => row.startsWith("+")).length;
  const removed = texts.filter((row) => row.startsWith("-")).length;
  if (texts.length - added < oldCount || texts.length - removed < newCount) return true;
  return isLast && /^(?:[+-]|\s+$)/.test(texts.at(-1) ?? "") && lines.at(-1) !== "";
}
