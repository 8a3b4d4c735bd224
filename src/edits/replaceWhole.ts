import { isFilled } from "../text/lines.ts";
import { fenceAround } from "../text/markdown.ts";
import { diffLines } from "./diffLines.ts";
import type { FileText } from "./fileText.ts";
import { fitIndentation } from "./fitIndentation.ts";
import { fitLines } from "./fitLines.ts";
import type { BlockFacts } from "./operations.ts";
import type { Placement } from "./placeHunk.ts";
import type { Run } from "./placeRuns.ts";
import { restoreLines } from "./retyped.ts";
import type { AskedLines } from "./types.ts";

/** The changes when the lines in question are replaced. */
export function replaceAsked(
  file: FileText,
  asked: AskedLines,
  lines: readonly string[],
  block: BlockFacts,
): Placement {
  const start = Math.max(0, Math.min(asked.start, file.lines.length));
  const end = Math.max(start, Math.min(asked.end, file.lines.length));
  const old = file.lines.slice(start, end);
  if (mayEndEarly(old, lines, asked.path, block)) return { type: "problem", kind: "fence" };
  // A blank line would become the final newline of a file that has none.
  const isOpenEnd = end === file.lines.length && old.length > 0 && !/[\r\n]$/.test(file.text);
  const whole = isOpenEnd ? withoutEdges(old, lines, "end") : lines;
  const restored = restoreLines(old, whole, asked.path);
  if (restored.type === "garbled") return { type: "problem", kind: "malformed" };
  const given = restored.lines;
  const fitted = isOnlySpaced(old, given) ? given : (fitLines(old, given) ?? fitIndentation(old, given));
  return placed(old, fitted, start, lines);
}

/** The changes when a block has the whole file. Refuses what looks like a part of it. */
export function replaceFile(
  file: FileText,
  path: string,
  lines: readonly string[],
  block: BlockFacts,
  isGuess: boolean,
): Placement {
  const old = file.lines;
  if (mayEndEarly(old, lines, path, block)) return { type: "problem", kind: "fence" };
  const restored = restoreLines(old, withoutEdges(old, lines), path);
  if (restored.type === "garbled") return { type: "problem", kind: "malformed" };
  const whole = restored.lines;
  const fitted = isOnlySpaced(old, whole) ? whole : (fitLines(old, whole) ?? whole);
  const placement = placed(old, fitted, 0, whole);
  if (placement.type === "placed" && isPart(old, placement.runs, isGuess)) return { type: "problem", kind: "omission" };
  return placement;
}

/** The lines of a new file, without the blank line that models put before the closing fence. */
export function newFileLines(lines: readonly string[]): readonly string[] {
  return withoutEdges(["-"], lines);
}

function placed(old: readonly string[], lines: readonly string[], offset: number, given: readonly string[]): Placement {
  const runs = diffLines(old, lines).map(({ start, end, newStart, newEnd }) => ({
    start: start + offset,
    end: end + offset,
    lines: lines.slice(newStart, newEnd),
  }));
  if (runs.length === 0) return { type: "problem", kind: "noChange" };
  const isAsGiven = lines.length === given.length && lines.every((line, index) => line === given[index]);
  const around = { start: offset, end: offset + old.length };
  return { type: "placed", runs, match: isAsGiven ? "exact" : "indentation", around };
}

/**
 * Whether only the white space around lines differs. Then that is the change, not how the answer was written. Only a
 * first line without its indentation, above others as they are, is the mark of a copy that starts behind it.
 */
function isOnlySpaced(old: readonly string[], lines: readonly string[]): boolean {
  if (old.length !== lines.length || lines.some((line, index) => line.trim() !== old[index]?.trim())) return false;
  const [first = "", ...others] = lines;
  const isCopy = others.some(isFilled) && others.every((line, index) => line === old[index + 1]);
  return !(isCopy && first === old[0]?.trimStart());
}

/** Whether a fence in the code may have ended the block: one that is as long as its own, or, in Markdown, a new one. */
function mayEndEarly(
  old: readonly string[],
  lines: readonly string[],
  path: string,
  { fence, isBeforeBareBlock }: BlockFacts,
): boolean {
  if (fenceAround(lines).length > fence) return true;
  return fenceAround(old).length > fence || (isBeforeBareBlock && /\.(?:md|mdx|markdown|qmd)$/i.test(path));
}

/** Leaves out a first and last blank line, or only the last one, that the file does not have. */
function withoutEdges(old: readonly string[], lines: readonly string[], edge?: "end"): readonly string[] {
  const isExtra = (line: string | undefined, inFile: string | undefined): boolean =>
    line?.trim() === "" && inFile?.trim() !== "";
  const start = edge === undefined && lines.length > 1 && isExtra(lines[0], old[0]) ? 1 : 0;
  const end = lines.length - start > 1 && isExtra(lines.at(-1), old.at(-1)) ? lines.length - 1 : lines.length;
  return lines.slice(start, end);
}

/** Files shorter than this are often written anew. */
const fewLines = 10;

/** Whether the new lines look like a part of a file: most of it is gone, both its ends, or a quarter at one end. */
function isPart(old: readonly string[], runs: readonly Run[], isGuess: boolean): boolean {
  const filled = old.filter(isFilled).length;
  const gone = runs.flatMap(({ start, end }) => old.slice(start, end)).filter(isFilled).length;
  const isNearlyGone = 2 * gone > filled;
  const least = isGuess ? 1 : 2;
  const isCut = ({ start, end, lines }: Run): boolean => lines.length === 0 && end - start >= least;
  const cut = runs.filter(isCut);
  const [top, bottom] = [cut.find(({ start }) => start === 0), cut.find(({ end }) => end === old.length)];
  if (isGuess) return isNearlyGone || top !== undefined || bottom !== undefined;
  if (filled < fewLines) return false;
  const losesBothEnds = top !== undefined && bottom !== undefined;
  const losesMuch = [top, bottom].some((run) => run && 4 * (run.end - run.start) > old.length);
  return (
    losesBothEnds ||
    losesMuch ||
    (isNearlyGone && runs.flatMap(({ lines }) => lines).filter(isFilled).length < gone / 2)
  );
}
