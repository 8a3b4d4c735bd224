import { isDeepStrictEqual } from "node:util";
import { diffLines } from "../../text/diffLines.ts";
import { overlapOf } from "../../text/findSequence.ts";
import { hasText, indentOf } from "../../text/lines.ts";
import { isMarkdown, type ResolvedPath } from "../read/paths.ts";
import type { Block, LineEdit, TargetLines } from "../types.ts";
import { type FileIndex, hasWordCharacter } from "./fileIndex.ts";
import type { Placement } from "./locateHunk.ts";
import { fitBlock, leastIndent } from "./reindent.ts";

/** Replaces the target lines by a block. */
export function replaceTarget({ file }: FileIndex, target: TargetLines, block: Block): Placement {
  const { lines } = block;
  const start = Math.max(0, Math.min(target.start, file.lines.length));
  const end = Math.max(start, Math.min(target.end, file.lines.length));
  const old = file.lines.slice(start, end);
  if (mayEndEarly(old, target.path, block)) return "fence";
  // A blank line would become the final newline of a file that has none.
  const isOpenEnd = end === file.lines.length && old.length > 0 && !/[\r\n]$/.test(file.text);
  const given = isOpenEnd ? withoutBlankEnds(old, lines) : lines;
  const above = given[0] === old[0] ? 0 : overlapOf(file.lines.slice(0, start), given);
  const below = given.at(-1) === old.at(-1) ? 0 : overlapOf(given, file.lines.slice(end));
  const repeated = [given.slice(0, above), given.slice(given.length - below)];
  const fitted = repeated.some((run) => isRepetition(old, given, run)) ? undefined : fitBlock(old, given);
  return fitted ? placed(old, fitted, start, lines) : "malformed";
}

/** Replaces a whole file by a block, unless the block seems to be a part of the file. */
export function replaceFile({ file }: FileIndex, { path, found }: ResolvedPath, block: Block): Placement {
  const old = file.lines;
  if (mayEndEarly(old, path, block)) return "fence";
  const whole = withoutBlankEnds(old, block.lines);
  const placement = placed(old, whole, 0, whole);
  if (typeof placement === "string") return placement;
  const isGuess = found === "similar";
  if (isPart(old, whole, placement.edits, isGuess)) return "omission";
  return isGuess && !keepsMost(old, placement.edits) ? "ambiguous" : placement;
}

/** Whether most lines stay, which proves that the path, of which the answer has only a part, means this file. */
function keepsMost(old: readonly string[], edits: readonly LineEdit[]): boolean {
  const gone = edits.flatMap(({ start, end }) => old.slice(start, end));
  return 2 * gone.filter(hasWordCharacter).length < old.filter(hasWordCharacter).length;
}

/** The lines of a new file, without blank lines next to the fences. */
export function newFileLines(lines: readonly string[]): readonly string[] {
  return withoutBlankEnds(["-"], lines);
}

function placed(old: readonly string[], lines: readonly string[], offset: number, given: readonly string[]): Placement {
  const edits = diffLines(old, lines).map(({ start, end, newStart, newEnd }) => ({
    start: start + offset,
    end: end + offset,
    lines: lines.slice(newStart, newEnd),
  }));
  if (edits.length === 0) return "noChange";
  const match = isDeepStrictEqual(lines, given) ? "exact" : "indentation";
  return { edits, match, around: { start: offset, end: offset + old.length } };
}

/**
 * Whether lines beside the target lines, which begin or end the new ones, are repeated by mistake: they have words, or the
 * brackets of the new lines pair up like those of the old ones only without them.
 */
function isRepetition(old: readonly string[], given: readonly string[], run: readonly string[]): boolean {
  const [depth, own] = [depthOf(given), depthOf(run)];
  return run.some(hasWordCharacter) || (own !== 0 && depth - own === depthOf(old));
}

/** The number of brackets that open in lines, less those that close. */
function depthOf(lines: readonly string[]): number {
  return lines.reduce((depth, line) => {
    for (const character of line) depth += "([{".includes(character) ? 1 : ")]}".includes(character) ? -1 : 0;
    return depth;
  }, 0);
}

/** Whether a fence in the code may have ended the block: one like its own or, in Markdown and in texts, a bare one. */
export function mayEndEarly(old: readonly string[], path: string, { lines, fence, isBeforeBareBlock }: Block): boolean {
  // A fence that is indented by four ends no block (CommonMark), unless the answer has the code without its base indentation.
  const hasFence = (code: readonly string[], base: string): boolean =>
    code.some((line) => {
      const indent = indentOf(line);
      return indent.length < base.length + 4 && line.slice(indent.length).startsWith(fence ?? "\n");
    });
  if (hasFence(lines, "") || hasFence(old, leastIndent(old))) return true;
  return isBeforeBareBlock && (isMarkdown(path) || isInText(lines) !== isInText(old));
}

/** Whether a multiline string begins in the code and does not end there. */
function isInText(code: readonly string[]): boolean {
  return code.join("\n").split(/"""|'''/).length % 2 === 0;
}

/** The lines without a blank first or last line, unless the old lines have one there. */
function withoutBlankEnds(old: readonly string[], lines: readonly string[]): readonly string[] {
  const isExtra = (at: 0 | -1): boolean => hasText(old.at(at) ?? "") && !hasText(lines.at(at) ?? "");
  return lines.length > 1 ? lines.slice(isExtra(0) ? 1 : 0, isExtra(-1) ? -1 : undefined) : lines;
}

/** Shorter files are often rewritten, or lose a quarter at one end. */
const fewLines = 10;

/**
 * Whether the new lines seem to be a part of a file: most of it is missing, or both its ends, or a quarter at one end. If the
 * path is a guess, any missing line at an end counts.
 */
function isPart(
  old: readonly string[],
  lines: readonly string[],
  edits: readonly LineEdit[],
  isGuess: boolean,
): boolean {
  const filled = old.filter(hasText).length;
  const isShort = filled < fewLines && !isGuess;
  if (isShort && edits.some(({ lines: added }) => added.length > 0)) return false;
  const gone = filled - lines.filter(hasText).length;
  const cut = edits.filter((edit) => !edit.lines.some(hasWordCharacter) && edit.end - edit.start >= (isGuess ? 1 : 2));
  const first = cut.find(({ start }) => start === 0);
  const last = cut.find(({ end }) => end === old.length);
  const isLong = [first, last].some((edit) => edit && 4 * (edit.end - edit.start) >= old.length);
  return 2 * gone > filled || (isGuess ? Boolean(first ?? last) : (isLong && !isShort) || Boolean(first && last));
}
