import { indentOf, isFilled } from "../../text/lines.ts";
import type { Hunk } from "../read/operations.ts";
import type { IndentStyle } from "./fileIndex.ts";
import { keptLines, leastIndent } from "./keptLines.ts";
import { learnSpelling, type SharedLine, type Spelling } from "./spelling.ts";

/** Both sides of a hunk at a place, and how they spell the file's lines. */
interface HunkSides {
  readonly old: readonly string[];
  readonly added: readonly string[];
  readonly spelling: Spelling;
}

/**
 * Reads both sides of a hunk. `inFile` are the file's lines for its old ones, as far as it has them. `undefined` if the
 * sides contradict each other.
 */
export function readSides(
  hunk: Hunk,
  inFile: readonly (string | undefined)[],
  style: IndentStyle,
): HunkSides | undefined {
  const { lines } = hunk;
  const old = hunk.old.map(({ text }) => text);
  const learn = (shared: readonly SharedLine[]): Spelling => learnSpelling(shared, [...lines, ...old], style);
  if (hunk.marked) return { old, added: lines, spelling: spellingOfPatch(hunk, inFile, style, learn) };
  const trimmed = withFirstIndent(old, lines, inFile) ?? { old, added: lines };
  const shared = sharedLines(trimmed.old, inFile);
  const wrong = shared.filter(({ answer, file }) => indentOf(answer) !== indentOf(file)).length;
  if (wrong === 0 || leastIndent(trimmed.old) === leastIndent(trimmed.added)) {
    return { ...trimmed, spelling: learn(shared) };
  }
  // Perhaps the old lines alone are shifted. The first and last of them that stay tell, because those between may move.
  const now = trimmed.old.map((text, at) => inFile[at] ?? text);
  const kept = keptLines(now, lines, (line) => line.trim()).filter(({ at }) => !isAlike(trimmed.old[at], now[at]));
  const right = [kept[0], kept.at(-1)].map((line) => line !== undefined && isAlike(lines[line.newAt], now[line.at]));
  if (right.every(Boolean)) return { old: now, added: lines, spelling: learn(sharedLines(now, inFile)) };
  return right.some(Boolean) ? undefined : { ...trimmed, spelling: learn(shared) };
}

/** A block whose text was trimmed, so that only its first lines lost their indentation. */
function withFirstIndent(
  [first = "", ...others]: readonly string[],
  [line = "", ...added]: readonly string[],
  inFile: readonly (string | undefined)[],
): Pick<HunkSides, "old" | "added"> | undefined {
  const indent = indentOf(inFile[0] ?? "");
  const isTrimmed = indent !== "" && isFilled(first) && indentOf(first) === "";
  const rest = sharedLines(others, inFile.slice(1));
  if (!isTrimmed || rest.length === 0 || !rest.every(({ answer, file }) => isAlike(answer, file))) return undefined;
  const given = isFilled(line) && indentOf(line) === "" ? indent + line : line;
  return { old: [indent + first, ...others], added: [given, ...added] };
}

/**
 * Marks may have a blank too much or too little between them and the code. Removed lines tell; if there are none, the
 * first added line has to get the indentation of a line around it.
 */
function spellingOfPatch(
  hunk: Hunk,
  inFile: readonly (string | undefined)[],
  style: IndentStyle,
  learn: (shared: readonly SharedLine[]) => Spelling,
): Spelling {
  const [removed, context]: [SharedLine[], (SharedLine & { readonly unstripped: string })[]] = [[], []];
  for (const [at, { text, unstripped = text, isRemoved }] of hunk.old.entries()) {
    const file = inFile[at];
    if (file === undefined || !isFilled(text)) continue;
    if (isRemoved === true) removed.push({ answer: text, file });
    else context.push({ answer: text, unstripped, file });
  }
  const isBare = context.every(({ unstripped, file }) => isAlike(unstripped, file));
  const isRight = context.every(({ answer, file }) => isAlike(answer, file));
  const [more, less]: SharedLine[] = [
    { answer: " x", file: "x" },
    { answer: "x", file: " x" },
  ];
  const isOff = ({ answer, file }: SharedLine, by: SharedLine): boolean =>
    indentOf(by.file) + indentOf(answer) === indentOf(by.answer) + indentOf(file);
  const by = [isRight && more, isBare && less].find((off) => {
    if (!off) return false;
    return removed.length > 0 ? removed.every((line) => isOff(line, off)) : isToldAround(hunk, inFile, style, off);
  });
  if (by) return learn([by]);
  const all = [...removed, ...context.map((line) => (isBare ? { ...line, answer: line.unstripped } : line))];
  return learn(all);
}

/** Whether added lines would stand like those around them if they were off by a blank as `off` says. */
function isToldAround(
  { lines, marked = [] }: Hunk,
  inFile: readonly (string | undefined)[],
  { isEven, unit }: IndentStyle,
  off: SharedLine,
): boolean {
  return (
    isEven &&
    marked.every(({ start, newStart, newEnd }) => {
      const first = lines.slice(newStart, newEnd).find(isFilled);
      if (first === undefined) return true;
      // A single blank aligns the lines of a comment.
      if (first.trimStart().startsWith("*")) return false;
      const above = inFile.slice(0, start).findLast((line) => line !== undefined && isFilled(line));
      const below = inFile.slice(start).find((line) => line !== undefined && isFilled(line));
      const around = [above, below].flatMap((line) => (line === undefined ? [] : [indentOf(line)]));
      const inside = above !== undefined && /[{([:]$/.test(above) ? [indentOf(above) + " ".repeat(unit)] : [];
      const isOff = (indent: string): boolean => indentOf(off.file) + indentOf(first) === indentOf(off.answer) + indent;
      return !around.includes(indentOf(first)) && [...around, ...inside].some(isOff);
    })
  );
}

function sharedLines(old: readonly string[], inFile: readonly (string | undefined)[]): readonly SharedLine[] {
  return old.flatMap((answer, at) => {
    const file = inFile[at];
    return file === undefined || !isFilled(answer) ? [] : [{ answer, file }];
  });
}

function isAlike(line = "", other = ""): boolean {
  return indentOf(line) === indentOf(other);
}
