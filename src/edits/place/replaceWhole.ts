import { isDeepStrictEqual } from "node:util";
import { isFilled } from "../../text/lines.ts";
import { fenceAround } from "../../text/markdown.ts";
import { diffLines } from "../../text/diffLines.ts";
import { withoutNumbers } from "../change/flaws.ts";
import type { AskedLines, Block, LineEdit } from "../types.ts";
import type { ResolvedPath } from "../read/paths.ts";
import { type FileIndex, says } from "./fileIndex.ts";
import { respell } from "./fit.ts";
import type { Placement } from "./placeHunk.ts";

/** The changes when the lines in question are replaced. */
export function replaceAsked({ file, style }: FileIndex, asked: AskedLines, block: Block): Placement {
  const { lines } = block;
  const start = Math.max(0, Math.min(asked.start, file.lines.length));
  const end = Math.max(start, Math.min(asked.end, file.lines.length));
  const old = file.lines.slice(start, end);
  if (mayEndEarly(old, asked.path, block)) return "fence";
  // A blank line would become the final newline of a file that has none.
  const isOpenEnd = end === file.lines.length && old.length > 0 && !/[\r\n]$/.test(file.text);
  const given = isOpenEnd ? withoutBlankEnds(old, lines) : lines;
  const repeats =
    isRepeated(file.lines[start - 1], old[0], given[0]) || isRepeated(file.lines[end], old.at(-1), given.at(-1));
  const fitted = repeats ? undefined : respell(old, bareBlock(old, given, asked.path), style);
  return fitted ? placed(old, fitted, start, lines) : "malformed";
}

/** The changes when a block has the whole file. Refuses what looks like a part of it. */
export function replaceFile({ file, style }: FileIndex, { path, found }: ResolvedPath, block: Block): Placement {
  const [old, lines] = [file.lines, block.lines];
  if (mayEndEarly(old, path, block)) return "fence";
  const whole = bareBlock(old, withoutBlankEnds(old, lines), path);
  const fitted = respell(old, whole, style);
  if (!fitted) return "malformed";
  const placement = placed(old, fitted, 0, whole);
  const isShort = typeof placement !== "string" && isPart(old, fitted, placement.edits, found === "similar");
  return isShort ? "omission" : placement;
}

/** The lines of a new file, without the blank lines that models put beside the fences. */
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

/** The lines of a block without numbers before them, and without a comment above them that only names the file. */
function bareBlock(old: readonly string[], lines: readonly string[], path: string): readonly string[] {
  const [first = ""] = lines;
  const words = first.replace(/^\W+\s|\s*(?:\*\/|-->)\s*$/g, "").trim();
  const isName = words === path && /^\W/.test(first) && first.trim() !== old[0]?.trim();
  const rest = isName ? lines.slice(1) : lines;
  const mayBeList =
    /\.(?:md|mdx|markdown|qmd|txt|rst|adoc)$/i.test(path) && rest.some((line) => /^\s*\d+\. /.test(line));
  return mayBeList || withoutNumbers(old) ? rest : (withoutNumbers(rest) ?? rest);
}

/** Whether the first or last of new lines repeats the line beside the old ones. */
function isRepeated(beside = "", old = "", line = ""): boolean {
  return says(line) && beside === line && old !== line;
}

/** Whether a fence in the code may have ended the block: one that is as long as its own, or, in Markdown, a new one. */
function mayEndEarly(old: readonly string[], path: string, { lines, fence, isBeforeBareBlock }: Block): boolean {
  if (fenceAround(lines).length > fence || fenceAround(old).length > fence) return true;
  return isBeforeBareBlock && /\.(?:md|mdx|markdown|qmd)$/i.test(path);
}

/** The lines without a blank one at either end, where the old ones have none. */
function withoutBlankEnds(old: readonly string[], lines: readonly string[]): readonly string[] {
  const isExtra = (at: 0 | -1): boolean => isFilled(old.at(at) ?? "") && !isFilled(lines.at(at) ?? "");
  return lines.length > 1 ? lines.slice(isExtra(0) ? 1 : 0, isExtra(-1) ? -1 : undefined) : lines;
}

/** Files shorter than this are often written anew. */
const fewLines = 10;

/**
 * Whether the new lines look like a part of a file: most of it is gone, both its ends, or a quarter at one end. Where the
 * path is a guess, the least that is gone at an end tells.
 */
function isPart(
  old: readonly string[],
  lines: readonly string[],
  edits: readonly LineEdit[],
  isGuess: boolean,
): boolean {
  const filled = old.filter(isFilled).length;
  if (filled < fewLines && !isGuess) return false;
  const gone = filled - lines.filter(isFilled).length;
  const cut = edits.filter((edit) => !edit.lines.some(says) && edit.end - edit.start >= (isGuess ? 1 : 2));
  const first = cut.find(({ start }) => start === 0);
  const last = cut.find(({ end }) => end === old.length);
  const isLong = [first, last].some((edit) => edit && 4 * (edit.end - edit.start) >= old.length);
  return 2 * gone > filled || (isGuess ? Boolean(first ?? last) : isLong || Boolean(first && last));
}
