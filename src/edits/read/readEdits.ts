import type { LineRange } from "../../text/lineRange.ts";
import { isFilled } from "../../text/lines.ts";
import {
  endOfDiff,
  endsPatch,
  isCutOff,
  prefixOf,
  startsDiff,
  startsEdit,
  startsPatch,
  startsSearch,
} from "./markers.ts";
import { longestAnswer } from "../types.ts";
import type { BlockFacts, Operation } from "./operations.ts";
import { pathInInfo, pathInLine, startsPath } from "./paths.ts";
import { readPatch } from "./patch.ts";
import { readSearchReplace } from "./searchReplace.ts";
import { readSections, type Section } from "./sections.ts";
import { withoutStart } from "./withoutStart.ts";

/** The mark in the info string of the block that replaces the lines in question. */
export const replaceMark = "replace";

/** The edits of an answer. */
export interface EditReading {
  readonly operations: readonly Operation[];
  /** The line where the answer stops early or is no longer shown, and why. */
  readonly broken: { readonly kind: "cutOff" | "tooLong"; readonly line: number } | undefined;
  /** The lines of the answer that are edits: whole blocks, or patches outside blocks, each with the path above it. */
  readonly ranges: readonly LineRange[];
}

/** Names of files that are known when an answer is read. */
export type FileNames = ReadonlyMap<string, unknown>;

/** What a part of an answer has. */
interface Found {
  readonly operations: readonly Operation[];
  readonly ranges: readonly LineRange[];
  /** Whether its last edit lacks its end. */
  readonly isOpen: boolean;
}

/** Whether a block with this info string replaces the lines in question. */
export function isReplacement(info: string): boolean {
  return info.split(/\s+/).includes(replaceMark);
}

/** Reads the edits of an answer in any of the forms that models use. */
export function readEdits(answer: string, files: FileNames): EditReading {
  if (answer.length > longestAnswer) return { operations: [], ranges: [], broken: { kind: "tooLong", line: 0 } };
  const { sections, showsLine } = readSections(withSimpleBlanks(answer, files));
  const found = sections.map((section, at) =>
    section.fence > 0 ? readBlock(sections, at, files) : scan(section, undefined, files),
  );
  const all = found.flatMap(({ operations }) => operations);
  const ranges = found.flatMap((one) => one.ranges);
  const end = ranges.at(-1)?.end ?? 0;
  // Beside an edit, a block that may quote a part of a file does.
  const operations = all.filter((one) => all.length === 1 || one.type !== "wholeFile" || !one.isDoubtful);
  const open = sections.findIndex(
    ({ fence, isOpen }, at) => found[at]?.isOpen === true || (fence > 0 && isOpen && operations.length > 0),
  );
  const cutAt = sections[open]?.range.start ?? (end > 0 ? announcedAt(sections.at(-1), end, files) : undefined);
  if (cutAt !== undefined) return { operations, ranges, broken: { kind: "cutOff", line: cutAt } };
  const isShown = operations.length === 0 || showsLine(end - 1);
  return { operations, ranges, broken: isShown ? undefined : { kind: "tooLong", line: end - 1 } };
}

/** The answer with simple blanks, if it indents lines with blanks that do not break, as copies from a browser do. */
function withSimpleBlanks(answer: string, files: FileNames): string {
  const isUsual = [...files.values()].some((text) => typeof text === "string" && text.includes("\u00a0"));
  return isUsual || !/^[+-]?[ \t]*\u00a0/m.test(answer) ? answer : answer.replaceAll("\u00a0", " ");
}

/** The last line, if it is a path after which another edit was to come. */
function announcedAt(section: Section | undefined, end: number, files: FileNames): number | undefined {
  if (!section || section.fence > 0) return undefined;
  const last = section.lines.findLastIndex(isFilled);
  const isAfter = last >= 0 && section.line + last >= end;
  return isAfter && startsPath(section.lines[last] ?? "", files) ? section.line + last : undefined;
}

function readBlock(sections: readonly Section[], at: number, files: FileNames): Found {
  const [before, section, ...next] = [sections[at - 1], ...sections.slice(at, at + 3)];
  if (!section) return { operations: [], ranges: [], isOpen: false };
  const { info, lines, line, isOpen } = section;
  const named = pathInInfo(info.replace(new RegExp(`(?:^|\\s)${replaceMark}(?=\\s|$)`), ""), files);
  const above = pathBefore(before, files);
  const path = named ?? above?.path;
  const start = above?.isOnlyPath === true ? above.line : section.range.start;
  const found = (operations: readonly Operation[], isCut = false): Found => ({
    operations:
      section.isHidden(0) && operations.length > 0 ? [{ type: "problem", kind: "html", path, line }] : operations,
    ranges: operations.length > 0 ? [{ start, end: section.range.end }] : [],
    isOpen: isCut,
  });
  const scanned = (): Found => {
    const { operations, isOpen: isCut } = scan(section, path, files);
    return found(operations, isCut);
  };
  const filled = lines.flatMap((text, index) => (isFilled(text) ? [index] : [])).slice(0, 2);
  const isDiff = /^(?:diff|patch|udiff)\b/i.test(info);
  const hasMarks = lines.some((text) => startsSearch(text) || startsPatch(text));
  if (isDiff || filled.some((index) => startsEdit(lines, index))) {
    if (hasMarks || !(isDiff || startsEdit(lines, filled[0] ?? 0))) return scanned();
    if (endsEarly(lines, next)) return found([{ type: "problem", kind: "fence", path, line }]);
    return found(readPatch(lines, { line, path, isPlain: false }), isOpen);
  }
  const block: BlockFacts = { fence: section.fence, isBeforeBareBlock: isBare(next) };
  if (isReplacement(info)) return found([{ type: "replace", lines, block, line }]);
  if (path !== undefined && (named !== undefined || above?.isOnlyPath === true)) {
    const isDoubtful = above?.isOnlyPath !== true && /^(?:make|docker)file$/i.test(info);
    return found([{ type: "wholeFile", path, lines, block, line, isDoubtful }]);
  }
  return hasMarks ? scanned() : found([]);
}

/** The path that the line before a block names. One blank line may be between. */
function pathBefore(
  section: Section | undefined,
  files: FileNames,
): (ReturnType<typeof pathInLine> & { readonly line: number }) | undefined {
  if (!section || section.fence > 0) return undefined;
  const lines = section.lines.slice(-2).map((text) => text.replace(/^(?: {0,3}>)+ ?/, ""));
  const at = lines.findLastIndex(isFilled);
  const path = at >= 0 ? pathInLine(lines[at] ?? "", files) : undefined;
  return path && { ...path, line: section.line + section.lines.length - lines.length + at };
}

/** Whether a fence in a unified diff has ended its block, so that what follows is the rest of it. */
function endsEarly(lines: readonly string[], next: readonly Section[]): boolean {
  const block = next.find(({ fence }) => fence > 0);
  // A block that starts an edit of its own is not the rest of this one.
  if (!isBare(next) || (block && startsEdit(block.lines, 0))) return false;
  const hasRows = next[0]?.fence === 0 && next[0].lines.some((text) => /^[+-]/.test(text));
  return hasRows || isCutOff(lines, false);
}

/** Whether the next block has no info string. */
function isBare(next: readonly Section[]): boolean {
  return next.find(({ fence }) => fence > 0)?.info === "";
}

const partialMarker = /^\s*(?:<+\s*S?E?A?R?C?|[`~]{1,2}|\*{3} B(?:e(?:g(?:i(?:n(?: P(?:a(?:t(?:ch?)?)?)?)?)?)?)?)?)$/;

/** Finds the edits with marks of their own: SEARCH/REPLACE blocks, patches and unified diffs. */
function scan(section: Section, given: string | undefined, files: FileNames): Found {
  const { lines, line: first, isHidden, isOpen } = section;
  const isPlain = section.fence === 0;
  const operations: Operation[] = [];
  const ranges: LineRange[] = [];
  let [end, path, isInherited] = [0, given, false];
  for (let index = 0; index < lines.length; index += 1) {
    if (!startsEdit(lines, index)) continue;
    const above = pathAbove(lines, index, end, files);
    if (above) [path, isInherited] = [above.path, false];
    const line = first + index;
    const problem = (kind: "malformed" | "cutOff" | "html"): Operation => ({ type: "problem", kind, path, line });
    let found: readonly Operation[];
    if (startsSearch(lines[index] ?? "")) {
      const block = readSearchReplace(lines, index);
      if (block.type === "open") return { operations: [...operations, problem("cutOff")], ranges, isOpen: true };
      end = block.end;
      const { type } = block;
      found =
        type === "malformed"
          ? [problem(type)]
          : [{ type: "hunk", line, path, isInherited, readings: block.readings, isPlain }];
    } else {
      const close = endOfPatch(section, index);
      if (close.isOpen) return { operations: [...operations, problem("cutOff")], ranges, isOpen: true };
      end = close.end;
      const patch = withoutStart(lines.slice(index, end), prefixOf(lines[index] ?? ""));
      found = close.isDoubtful
        ? [problem("malformed")]
        : readPatch(patch, { line, path: above?.path ?? given, isPlain });
    }
    operations.push(...(isHidden(index) ? [problem("html")] : found));
    ranges.push({ start: first + (above?.isOnlyPath === true ? above.at : index), end: first + end });
    isInherited = true;
    index = end - 1;
  }
  return { operations, ranges, isOpen: isOpen && partialMarker.test(lines.findLast(isFilled) ?? "") };
}

/** The path in the line above an edit, which may be separated by a blank line. */
function pathAbove(
  lines: readonly string[],
  index: number,
  end: number,
  files: FileNames,
): (NonNullable<ReturnType<typeof pathInLine>> & { readonly at: number }) | undefined {
  const at = lines.slice(Math.max(end, index - 2), index).findLastIndex(isFilled) + Math.max(end, index - 2);
  const path = at >= Math.max(end, index - 2) ? pathInLine(lines[at] ?? "", files) : undefined;
  return path && { ...path, at };
}

/** Where a patch or diff ends that starts at a line, and whether it lacks its end or may go on. */
function endOfPatch(
  { lines, fence, isOpen }: Section,
  start: number,
): { readonly end: number; readonly isOpen: boolean; readonly isDoubtful: boolean } {
  if (startsDiff(lines, start)) {
    const { end, isDoubtful } = endOfDiff(lines, start);
    const isShort = fence === 0 && end > lines.findLastIndex(isFilled) && isCutOff(lines.slice(start), isOpen);
    return { end, isOpen: isShort && isOpen, isDoubtful: isDoubtful || isShort };
  }
  for (let index = start + 1; index < lines.length; index += 1) {
    if (endsPatch(lines[index] ?? "")) return { end: index + 1, isOpen: false, isDoubtful: false };
  }
  // Without its first line, a patch in a block ends where the block does.
  return { end: lines.length, isOpen: fence === 0 || startsPatch(lines[start] ?? ""), isDoubtful: false };
}
