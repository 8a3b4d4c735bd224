import type { LineRange } from "../../text/lineRange.ts";
import { indentOf, hasText, splitLines } from "../../text/lines.ts";
import { showMarkdown } from "../../text/markdown.ts";
import { type CodeBlock, linesIn, readParts, type TextLine } from "../../text/markdownParts.ts";
import { type EditProblemKind, type Hunk, maxAnswerLength, type Operation } from "../types.ts";
import {
  beginsPatch,
  endOfDiff,
  endOfMarked,
  lacksRows,
  mayLackRows,
  startsDiff,
  startsEdit,
  startsPatch,
  startsSearch,
  withBlankedEdits,
} from "./marks.ts";
import { type Files, isMarkdown, mayBeWhole, pathInInfo, pathInLine } from "./paths.ts";
import { readPatch } from "./patch.ts";

/** The word in the info string of a block that replaces the target lines. */
export const replaceMark = "replace";

/** The lines without a common indentation, if all lines with text have it. */
function withoutIndent(lines: readonly string[], indent: string): readonly string[] {
  if (indent === "" || lines.some((line) => hasText(line) && !line.startsWith(indent))) return lines;
  return lines.map((line) => line.slice(indent.length));
}

/** The edits of an answer. */
export interface EditReading {
  readonly operations: readonly Operation[];
  /** Where the answer is cut off, or no longer shown. */
  readonly truncation: { readonly kind: "cutOff" | "tooLong"; readonly line: number } | undefined;
  /** The lines of the answer that are edits: whole blocks, or edits outside blocks, including the path above each. */
  readonly ranges: readonly LineRange[];
}

/** A fenced block of an answer, or the lines between blocks. The range includes the fences; line numbers start from zero. */
interface Section extends LineRange {
  readonly lines: readonly string[];
  /** Empty for lines outside blocks. */
  readonly fence: string;
  /** Whether it contains fences like its own, which pair up. */
  readonly isNested: boolean;
  readonly info: string;
  /** Whether it ends the answer: a block without its closing fence, or the last lines. */
  readonly endsAnswer: boolean;
  /** Whether Markdown hides each line, because it is inside HTML. */
  readonly hidden: readonly boolean[];
}

/** The edits of a section. */
interface Found {
  readonly edits: readonly { readonly operations: readonly Operation[]; readonly range: LineRange }[];
  /** Whether the last one has no end. */
  readonly isUnterminated: boolean;
}

/** Whether a block with this info string replaces the target lines. */
export function isReplacement(info: string): boolean {
  return info
    .toLowerCase()
    .split(/[\s,:{}()[\]]+/)
    .includes(replaceMark);
}

/** Reads the edits of an answer in all formats that models use. */
export function readEdits(answer: string, files: Files): EditReading {
  if (answer.length > maxAnswerLength) return { operations: [], ranges: [], truncation: { kind: "tooLong", line: 0 } };
  const lines = splitLines(answer);
  const parts = [...readParts(withBlankedEdits(lines).join("\n"), mayNest)];
  const sections = readSections(lines, parts);
  const found = sections.map((section, at) => {
    if (section.fence === "") return scan(section, undefined, [], files);
    const before = sections[at - 1];
    const end = before?.fence === "" ? before.start : section.start;
    const above = pathAbove(lines, section.start, end, files, section.info);
    return readBlock(section, above, sections.slice(at + 1, at + 4), files);
  });
  const edits = found.flatMap((one) => one.edits);
  const operations = edits.flatMap((one) => one.operations);
  const ranges = edits.map(({ range }) => range);
  const open = sections.find(
    ({ fence, endsAnswer }, at) =>
      found[at]?.isUnterminated === true || (fence !== "" && endsAnswer && operations.length > 0),
  );
  if (open) return { operations, ranges, truncation: { kind: "cutOff", line: open.start } };
  const end = ranges.at(-1)?.end ?? 0;
  const isShown = operations.length === 0 || end <= showMarkdown(parts).end;
  return { operations, ranges, truncation: isShown ? undefined : { kind: "tooLong", line: end - 1 } };
}

/** Whether a block with this info string may contain code blocks with fences as long as its own. */
function mayNest(info: string): boolean {
  return isReplacement(info) || /^(?:md|mdx|markdown|qmd)\b/i.test(info) || info.split(/[\s:"'=]+/).some(isMarkdown);
}

/** Joins the lines of an answer between its fenced blocks. */
function readSections(lines: readonly string[], parts: Iterable<CodeBlock | TextLine>): readonly Section[] {
  const sections: Section[] = [];
  let [start, end, hidden]: [number, number, boolean[]] = [0, 0, []];
  const endPlain = (): void => {
    const section = { start, end, lines: lines.slice(start, end), fence: "", isNested: false, info: "", hidden };
    if (start < end) sections.push({ ...section, endsAnswer: end === lines.length });
    hidden = [];
  };
  for (const part of parts) {
    if (part.type === "line") {
      hidden.push(part.isInHtml);
      end += 1;
      continue;
    }
    endPlain();
    const { info, fence, isClosed, isInHtml, isNested = false } = part;
    start = end + linesIn(part);
    const first = end + 1;
    // Prefixes are cut off at the start of lines.
    const content = part.lines.map((line, at) =>
      (lines[first + at] ?? "").slice((lines[first + at] ?? "").length - line.length),
    );
    const all = Array<boolean>(content.length + 1).fill(isInHtml || (isNested && fromFirstFence(content).some(isHtml)));
    const block = { start: end, end: start, lines: content, fence, isNested, info };
    sections.push({ ...block, endsAnswer: !isClosed, hidden: all });
    end = start;
  }
  endPlain();
  return sections;
}

function isDiffInfo(info: string): boolean {
  return /^(?:diff|patch|udiff)\b/i.test(info);
}

/** Whether a SEARCH/REPLACE block or a patch starts in one of the lines. */
function hasEditStart(lines: readonly string[]): boolean {
  return lines.some((text, index) => startsSearch(text) || (beginsPatch(text) && startsPatch(lines, index)));
}

/** Whether Markdown may hide a line outside of blocks, or the lines after it. */
function isHtml(line: string): boolean {
  return /<!--|^<\/?[a-z]/i.test(line);
}

/** Whether a row of a patch is a line of the file, and does not hide other rows. */
function hidesNothing(row: string): boolean {
  return /^[ +-]/.test(row) && row.lastIndexOf("-->") > row.lastIndexOf("<!--");
}

/** The lines of a block from the first bare fence on, which ends the block for CommonMark. */
function fromFirstFence(lines: readonly string[]): readonly string[] {
  return lines.slice(
    Math.max(
      0,
      lines.findIndex((line) => /^ {0,3}(?:`{3,}|~{3,})\s*$/.test(line)),
    ),
  );
}

function readBlock(section: Section, above: PathAbove | undefined, next: readonly Section[], files: Files): Found {
  const { info, lines, isNested, start, end } = section;
  const line = start + 1;
  const isReplace = isReplacement(info);
  const named = pathInInfo(info, files);
  const path = named ?? above?.path;
  const isNamed = named !== undefined || above?.isOnlyPath === true;
  const [first, second] = [...lines.keys()].filter((index) => hasText(lines[index] ?? ""));
  const isEdit = [first, second].some((index) => index !== undefined && startsEdit(lines, index));
  const fence = isNested ? undefined : section.fence;
  const below = next.find((one) => one.fence !== "");
  const isBare = below?.info === "" && below.fence.startsWith(section.fence);
  // The fence that seems to end the block may start code inside it: then the code is right below, and otherwise a blank line.
  const block = { lines, fence, isBeforeBareBlock: isBare && (next[0] === below || hasText(next[0]?.lines[0] ?? "")) };
  const range = { start: above?.isOnlyPath === true ? above.at : start, end };
  let [operations, isUnterminated]: [readonly Operation[], boolean] = [[], false];
  if (isDiffInfo(info) || isEdit || (hasEditStart(lines) && !isReplace && !isNamed)) {
    const found = scan(section, path, next, files);
    [operations, isUnterminated] = [found.edits.flatMap((one) => one.operations), found.isUnterminated];
  } else {
    const isOfFile = path !== undefined && isNamed && mayBeWhole(path, info, files);
    if (isReplace) operations = [{ type: "replace", ...(isOfFile && { path }), block, line }];
    else if (isOfFile) operations = [{ type: "wholeFile", path, block, line }];
  }
  if (operations.length === 0) return { edits: [], isUnterminated };
  const problem: Operation = { type: "problem", kind: "html", path, line };
  // Inside HTML, Markdown hides a block with its fence.
  return { edits: [{ operations: section.hidden[0] === true ? [problem] : operations, range }], isUnterminated };
}

/** Whether a fence in a unified diff has ended its block, so that the next block is the rest of the diff. */
function endsEarly(lines: readonly string[], next: readonly Section[]): boolean {
  const block = next.find(({ fence }) => fence !== "");
  // A block that starts another edit is not the rest of this one.
  return block?.info === "" && !startsEdit(block.lines, 0) && lacksRows(lines);
}

/** The start of an edit, of a mark, or of a fence, at the end of an answer. */
const partialMark = /^\s*(?:\*{3} Begin Patch|<{1,6}|<{7}\s*S?E?A?R?C?|[`~]{1,2})$/;

/** Reads the edits that have marks: SEARCH/REPLACE blocks, patches and unified diffs. */
function scan(section: Section, given: string | undefined, next: readonly Section[], files: Files): Found {
  const { start, lines, hidden, endsAnswer, fence, info } = section;
  const isPlain = fence === "";
  const first = isPlain ? start : start + 1;
  // A block marked as a diff may start with any row of one.
  const isAllDiff = isDiffInfo(info) && !hasEditStart(lines);
  const lastFilled = lines.findLastIndex(hasText);
  const edits: Found["edits"][number][] = [];
  let [end, path] = [0, given];
  for (let index = 0; index < lines.length; index += 1) {
    if (!isAllDiff && !startsEdit(lines, index)) continue;
    const above = pathAbove(lines, index, end, files);
    if (above) path = above.path;
    const line = first + index;
    const problem = (kind: EditProblemKind): Operation => ({ type: "problem", kind, path, line });
    let found: readonly Operation[];
    let isCut = false;
    if (!isAllDiff && startsSearch(lines[index] ?? "")) {
      const block = readSearchReplace(lines, index);
      isCut = block === undefined;
      end = block?.end ?? lines.length;
      found = block?.hunk ? [{ type: "hunk", line, path, hunk: block.hunk }] : [problem("malformed")];
    } else {
      const isDiff = isAllDiff || startsDiff(lines, index);
      const marked = isDiff ? undefined : endOfMarked(lines, index);
      end = marked ? marked.end : isPlain ? endOfDiff(lines, index) : lines.length;
      const rows = lines.slice(index, marked?.isClosed === true ? end - 1 : end);
      const patch = withoutIndent(rows, isAllDiff ? "" : indentOf(lines[index] ?? ""));
      const isLast = end > lastFilled;
      // A fence right below may belong to the diff. A patch without "*** Begin Patch" ends with its block.
      isCut = isDiff
        ? isPlain && isLast && (!endsAnswer || mayLackRows([...patch, ...lines.slice(end, -1)]))
        : marked?.isClosed === false && (isPlain || beginsPatch(lines[index] ?? ""));
      found =
        isDiff && !isPlain && endsEarly(patch, next)
          ? [problem("fence")]
          : readPatch(patch, line, above?.path ?? given);
    }
    // Outside a block, Markdown hides HTML and what follows it.
    const hides = isPlain && lines.slice(index, end).some((row) => isHtml(row) && !hidesNothing(row));
    const isHidden = hides || hidden[index] === true;
    const operations = isCut ? [problem("cutOff")] : isHidden ? [problem("html")] : found;
    const range = { start: first + (above?.isOnlyPath === true ? above.at : index), end: first + end };
    edits.push({ operations, range });
    if (isCut) return { edits, isUnterminated: true };
    index = end - 1;
  }
  return { edits, isUnterminated: endsAnswer && (isAllDiff || partialMark.test(lines.findLast(hasText) ?? "")) };
}

/** Reads a SEARCH/REPLACE block. Without a unique middle, it has no hunk. `undefined` if it has no end. */
function readSearchReplace(
  lines: readonly string[],
  start: number,
): { readonly end: number; readonly hunk?: Hunk } | undefined {
  const { end, isClosed } = endOfMarked(lines, start);
  if (!isClosed) return end < lines.length ? { end } : undefined;
  const middles: number[] = [];
  let isInConflict = false;
  for (let at = start + 1; at < end; at += 1) {
    const line = lines[at]?.trim() ?? "";
    if (/^(?:<{7}|>{7}) /.test(line)) isInConflict = line.startsWith("<");
    // That of a merge conflict in the code is no middle.
    else if (line === "=======" && !isInConflict) middles.push(at);
  }
  const [middle = 0, ...others] = middles;
  if (middle === 0 || others.length > 0) return { end };
  // In a list, all lines have the indentation of the mark.
  const inside = withoutIndent(lines.slice(start, end - 1), indentOf(lines[start] ?? ""));
  const old = inside.slice(1, middle - start);
  const changed = inside.slice(middle - start + 1);
  const hunk = { old: old.some(hasText) ? old : [], lines: changed, anchors: [], isAtEnd: false };
  return { end, hunk };
}

type PathAbove = NonNullable<ReturnType<typeof pathInLine>> & { readonly at: number };

/** The path in the line above an edit, perhaps with a blank line between them. Lines before `end` belong to other edits. */
function pathAbove(
  lines: readonly string[],
  index: number,
  end: number,
  files: Files,
  info = "",
): PathAbove | undefined {
  const from = Math.max(end, index - 2);
  const above = lines.slice(from, index).map((line) => line.replace(/^(?: {0,3}>)+ ?/, ""));
  const offset = above.findLastIndex(hasText);
  const path = offset < 0 ? undefined : pathInLine(above[offset] ?? "", files, info);
  return path && { ...path, at: from + offset };
}
