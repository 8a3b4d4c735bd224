import type { LineRange } from "../../text/lineRange.ts";
import { indentOf, isFilled, splitLines } from "../../text/lines.ts";
import { longestShown, showMarkdown } from "../../text/markdown.ts";
import { readParts } from "../../text/markdownParts.ts";
import { longestAnswer } from "../types.ts";
import {
  endOfDiff,
  endsPatch,
  endsSearch,
  isShort,
  prefixOf,
  startsDiff,
  startsEdit,
  startsPatch,
  startsSearch,
  withoutStart,
} from "./markers.ts";
import type { Hunk, Operation } from "./operations.ts";
import { pathInInfo, pathInLine } from "./paths.ts";
import { readPatch } from "./patch.ts";
import { readSections, type Section } from "./sections.ts";

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
  const lines = splitLines(withSimpleBlanks(answer, files));
  const sections = readSections(lines);
  const found = sections.map((section, at) =>
    section.fence > 0
      ? readBlock(section, sections[at - 1], sections.slice(at + 1, at + 4), files)
      : scan(section, undefined, files),
  );
  const operations = found.flatMap((one) => one.operations);
  const ranges = found.flatMap((one) => one.ranges);
  const open = sections.find(
    ({ fence, isOpen }, at) => found[at]?.isOpen === true || (fence > 0 && isOpen && operations.length > 0),
  );
  if (open) return { operations, ranges, broken: { kind: "cutOff", line: open.range.start } };
  const last = (ranges.at(-1)?.end ?? 0) - 1;
  const shown = operations.length > 0 ? showMarkdown(readParts(lines.slice(0, last + 1).join("\n"))) : "";
  const isShown = shown.length <= longestShown;
  return { operations, ranges, broken: isShown ? undefined : { kind: "tooLong", line: last } };
}

/** The answer with simple blanks, if it indents lines with blanks that do not break, as copies from a browser do. */
function withSimpleBlanks(answer: string, files: FileNames): string {
  const isUsual = [...files.values()].some((text) => typeof text === "string" && text.includes("\u00a0"));
  return isUsual || !/^[+-]?[ \t]*\u00a0/m.test(answer) ? answer : answer.replaceAll("\u00a0", " ");
}

function readBlock(section: Section, before: Section | undefined, next: readonly Section[], files: FileNames): Found {
  const { info, lines, line, isOpen, fence, range } = section;
  const isReplace = isReplacement(info);
  const named = isReplace ? undefined : pathInInfo(info, files);
  const above = before?.fence === 0 ? pathAbove(unquoted(before.lines.slice(-2)), 2, 0, files) : undefined;
  const path = named ?? above?.path;
  const isNamed = named !== undefined || above?.isOnlyPath === true;
  const start =
    above?.isOnlyPath === true ? range.start - Math.min(2, before?.lines.length ?? 0) + above.at : range.start;
  const found = (operations: readonly Operation[], isCut = false): Found => ({
    operations:
      section.isHidden(0) && operations.length > 0 ? [{ type: "problem", kind: "html", path, line }] : operations,
    ranges: operations.length > 0 ? [{ start, end: range.end }] : [],
    isOpen: isCut,
  });
  const isDiff = /^(?:diff|patch|udiff)\b/i.test(info);
  const hasMarks = lines.some((text) => startsSearch(text) || startsPatch(text));
  const first = lines.findIndex(isFilled);
  const second = lines.findIndex((text, index) => index > first && isFilled(text));
  const isBare = next.find((one) => one.fence > 0)?.info === "";
  if (isDiff && !hasMarks) {
    return endsEarly(lines, next)
      ? found([{ type: "problem", kind: "fence", path, line }])
      : found(readPatch(lines, { line, path, isPlain: false }), isOpen);
  }
  if (isDiff || startsEdit(lines, first) || startsEdit(lines, second) || (hasMarks && !isReplace && !isNamed)) {
    const scanned = scan(section, path, files, next);
    return found(scanned.operations, scanned.isOpen);
  }
  const block = { fence, isBeforeBareBlock: isBare };
  if (isReplace) return found([{ type: "replace", lines, block, line }]);
  if (path === undefined || !isNamed) return found([]);
  return found([{ type: "wholeFile", path, lines, block, line }]);
}

function unquoted(lines: readonly string[]): readonly string[] {
  return lines.map((text) => text.replace(/^(?: {0,3}>)+ ?/, ""));
}

/** Whether a fence in a unified diff has ended its block, so that what follows is the rest of it. */
function endsEarly(lines: readonly string[], next: readonly Section[]): boolean {
  const block = next.find(({ fence }) => fence > 0);
  // A block that starts an edit of its own is not the rest of this one.
  if (block?.info !== "" || startsEdit(block.lines, 0)) return false;
  return isShort(lines) || (next[0]?.fence === 0 && next[0].lines.some((text) => /^[+-]/.test(text)));
}

/** The start of a mark, or of a fence, at the end of an answer. */
const partialMark = /^\s*(?:<{1,6}|<{7}\s*S?E?A?R?C?|[`~]{1,2})$/;

/** Finds the edits with marks of their own: SEARCH/REPLACE blocks, patches and unified diffs. */
function scan(section: Section, given: string | undefined, files: FileNames, next: readonly Section[] = []): Found {
  const { lines, line: first, isHidden, isOpen, fence } = section;
  const isPlain = fence === 0;
  const operations: Operation[] = [];
  const ranges: LineRange[] = [];
  let [end, path] = [0, given];
  for (let index = 0; index < lines.length; index += 1) {
    if (!startsEdit(lines, index)) continue;
    const above = pathAbove(lines, index, end, files);
    if (above) path = above.path;
    const line = first + index;
    const problem = (kind: "malformed" | "cutOff" | "html" | "fence"): Operation => ({
      type: "problem",
      kind,
      path,
      line,
    });
    let found: readonly Operation[];
    let isCut = false;
    if (startsSearch(lines[index] ?? "")) {
      const block = readSearchReplace(lines, index);
      isCut = block.type === "open";
      end = block.type === "open" ? lines.length : block.end;
      found =
        block.type === "block" ? [{ type: "hunk", line, path, hunk: block.hunk, isPlain }] : [problem("malformed")];
    } else {
      const isDiff = startsDiff(lines, index);
      const close = isDiff ? -1 : lines.findIndex((text, at) => at > index && endsPatch(text));
      end = isDiff && isPlain ? endOfDiff(lines, index) : close < 0 ? lines.length : close + 1;
      const patch = withoutStart(lines.slice(index, end), prefixOf(lines[index] ?? ""));
      const isLast = end > lines.findLastIndex(isFilled);
      // Without its first line, a patch in a block ends where the block does.
      isCut = isDiff
        ? isPlain && isOpen && isLast && isShort(patch)
        : close < 0 && (isPlain || startsPatch(lines[index] ?? ""));
      found =
        isDiff && !isPlain && endsEarly(patch, next)
          ? [problem("fence")]
          : readPatch(patch, { line, path: above?.path ?? given, isPlain });
    }
    if (isCut) return { operations: [...operations, problem("cutOff")], ranges, isOpen: true };
    operations.push(...(isHidden(index) ? [problem("html")] : found));
    ranges.push({ start: first + (above?.isOnlyPath === true ? above.at : index), end: first + end });
    index = end - 1;
  }
  return { operations, ranges, isOpen: isOpen && partialMark.test(lines.findLast(isFilled) ?? "") };
}

/** A SEARCH/REPLACE block, read up to but excluding `end`. */
type SearchReplace =
  | { readonly type: "block"; readonly end: number; readonly hunk: Hunk }
  | { readonly type: "open" }
  | { readonly type: "malformed"; readonly end: number };

/** Reads the SEARCH/REPLACE block that starts at a line. Where its middle is in doubt, it is malformed. */
function readSearchReplace(lines: readonly string[], start: number): SearchReplace {
  const separators: number[] = [];
  let end = start + 1;
  for (; end < lines.length && !endsSearch(lines[end] ?? ""); end += 1) {
    if (startsSearch(lines[end] ?? "")) return { type: "malformed", end };
    if (/^\s*={5,}\s*$/.test(lines[end] ?? "")) separators.push(end);
  }
  if (end === lines.length) return { type: "open" };
  const usual = separators.filter((index) => lines[index]?.trim() === "=======");
  const [separator, ...others] = usual.length > 0 ? usual : separators;
  if (separator === undefined || others.length > 0) return { type: "malformed", end: end + 1 };
  // The marker's indentation is that of all lines if they have it.
  const inside = withoutStart(lines.slice(start, end), indentOf(lines[start] ?? ""));
  const old = inside.slice(1, separator - start).map((text) => ({ text }));
  const hunk = { old: old.some(({ text }) => isFilled(text)) ? old : [], lines: inside.slice(separator - start + 1) };
  return { type: "block", end: end + 1, hunk: { ...hunk, anchors: [], isAtEnd: false } };
}

/** The path in the line above an edit, which may be separated by a blank line. Lines before `end` belong to others. */
function pathAbove(
  lines: readonly string[],
  index: number,
  end: number,
  files: FileNames,
): (NonNullable<ReturnType<typeof pathInLine>> & { readonly at: number }) | undefined {
  const from = Math.max(end, index - 2);
  const at = from + lines.slice(from, index).findLastIndex(isFilled);
  const path = at >= from ? pathInLine(lines[at] ?? "", files) : undefined;
  return path && { ...path, at };
}
