import { diffLines } from "../../text/diffLines.ts";
import { indentOf, isFilled } from "../../text/lines.ts";
import type { Hunk, OldLine } from "../read/operations.ts";
import { plain } from "./fileIndex.ts";
import { type Indents, type IndentStyle, isOdd, learnIndents, type SharedLine } from "./indentation.ts";

/** Gives a new line as the file would have it; `undefined` where that is not known. */
export type Restore = (line: string) => string | undefined;

/**
 * Learns from lines that an answer shares with a file what the answer has done to characters and to the ends of lines,
 * and undoes the same in new ones, besides their indentation.
 */
export function learnSpelling(shared: readonly SharedLine[], indents: Indents): Restore {
  const hasEnds = shared.some(({ answer, file }) => endOf(answer) > endOf(file));
  const isRetyped = shared.some(({ answer, file }) => withoutBlanks(answer) !== withoutBlanks(file));
  // Where the file itself has such characters, nobody knows which ones new lines should have.
  const isUnclear = isRetyped && shared.some(({ file }) => plain(file) !== file.normalize());
  return (line) => {
    const text = isRetyped ? plain(line) : line;
    if (isUnclear && text !== line) return undefined;
    if (!isFilled(text)) return hasEnds ? "" : text;
    const indent = indents.translate(indentOf(text));
    const rest = text.slice(indentOf(text).length);
    return indent === undefined ? undefined : indent + (hasEnds ? rest.trimEnd() : rest);
  };
}

function endOf(line: string): number {
  return line.length - line.trimEnd().length;
}

function withoutBlanks(line: string): string {
  return line.replace(/[ \t]+/g, "");
}

/** The old lines that are among the new ones where `look` of both is the same. Blank lines do not count. */
export function keptLines(
  old: readonly string[],
  lines: readonly string[],
  look: (line: string) => string,
): readonly { readonly at: number; readonly newAt: number }[] {
  const kept: { at: number; newAt: number }[] = [];
  let [at, newAt] = [0, 0];
  const keep = (until: number): void => {
    for (; at < until; at += 1, newAt += 1) if (isFilled(old[at] ?? "")) kept.push({ at, newAt });
  };
  for (const { start, end, newEnd } of diffLines(old.map(look), lines.map(look))) {
    keep(start);
    [at, newAt] = [end, newEnd];
  }
  keep(old.length);
  return kept;
}

/** Both sides of a hunk in one spelling, and how to give its lines that of the file. */
interface HunkSides {
  readonly old: readonly string[];
  readonly added: readonly string[];
  readonly restore: Restore;
  readonly isShift: boolean;
}

/**
 * Reads both sides of a hunk. `inFile` are the file's lines for its old ones, as far as it has them. `undefined` if the
 * sides contradict each other.
 */
export function readSides(
  { old: rows, lines, marked }: Hunk,
  inFile: readonly (string | undefined)[],
  style: IndentStyle,
): HunkSides | undefined {
  const texts = rows.map(({ text }) => text);
  const sharedBy = (old: readonly string[]): readonly SharedLine[] =>
    old.flatMap((answer, at) => {
      const file = inFile[at];
      return file === undefined || !isFilled(answer) ? [] : [{ answer, file }];
    });
  const sides = (old: readonly string[], added = lines, shared = sharedBy(old)): HunkSides => {
    const indents = learnIndents(shared, [...added, ...old], style);
    return { old, added, restore: learnSpelling(shared, indents), isShift: indents.isShift };
  };
  if (marked) {
    // What follows the marks of removed lines follows those of added ones. The blank that marks context may be missing.
    const isContext = ({ isRemoved }: OldLine): boolean => isRemoved !== true;
    const removed = sharedBy(rows.map((row) => (isContext(row) ? "" : row.text)));
    const context = sharedBy(rows.map((row) => (isContext(row) ? row.text : "")));
    const bare = sharedBy(rows.map((row) => (isContext(row) ? (row.unstripped ?? row.text) : "")));
    const right = [bare, context].find((shared) => shared.every(isAlike));
    const read = sides(texts, lines, right && removed.length > 0 ? removed : right);
    // Where hardly any line has an odd indentation, a mark took a blank too many or left one.
    const isOff = marked.some(({ newStart, newEnd }) => {
      const first = read.restore(lines.slice(newStart, newEnd).find(isFilled) ?? "");
      const isLikeOthers = inFile.some((line) => indentOf(line ?? "x") === indentOf(first ?? ""));
      return first !== undefined && isOdd(first) && !isLikeOthers;
    });
    return removed.length === 0 && style.isEven && isOff ? undefined : read;
  }
  const [start = ""] = inFile;
  const isBare = indentOf(start) !== "" && indentOf(texts[0] ?? "") === "";
  if (isBare && texts.length > 1 && sharedBy(texts.with(0, "")).every(isAlike)) {
    // A text that was trimmed has lost the indentation of its first line.
    const indented = ([first = "", ...others]: readonly string[]): readonly string[] => [
      isFilled(first) && indentOf(first) === "" ? indentOf(start) + first : first,
      ...others,
    ];
    return sides(indented(texts), indented(lines));
  }
  // Perhaps the old lines alone are shifted: then those that stay are written as the file has them.
  const now = texts.map((text, at) => inFile[at] ?? text);
  const kept = keptLines(now, lines, (line) => line.trim()).filter(
    ({ at }) => indentOf(texts[at] ?? "") !== indentOf(now[at] ?? ""),
  );
  const right = kept.filter(({ at, newAt }) => indentOf(lines[newAt] ?? "") === indentOf(now[at] ?? "")).length;
  if (right === 0) return sides(texts);
  return right === kept.length ? sides(now) : undefined;
}

function isAlike({ answer, file }: SharedLine): boolean {
  return indentOf(answer) === indentOf(file);
}
