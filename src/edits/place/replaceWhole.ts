import { indentOf, isFilled } from "../../text/lines.ts";
import { fenceAround } from "../../text/markdown.ts";
import { diffLines } from "../../text/diffLines.ts";
import type { FileText } from "../change/fileText.ts";
import type { BlockFacts } from "../read/operations.ts";
import type { AskedLines, LineEdit } from "../types.ts";
import { plain, says } from "./fileIndex.ts";
import { type Indents, indentStyle, leastIndent, learnIndents, type SharedLine } from "./indentation.ts";
import { withoutNumbers } from "../change/flaws.ts";
import { type Placement, problem } from "./placeHunk.ts";
import { keptLines, learnSpelling } from "./spelling.ts";

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
  if (mayEndEarly(old, lines, asked.path, block)) return problem("fence");
  // A blank line would become the final newline of a file that has none.
  const isOpenEnd = end === file.lines.length && old.length > 0 && !/[\r\n]$/.test(file.text);
  const given = isOpenEnd ? withoutBlankEnd(old, lines) : lines;
  if (repeats(file.lines[start - 1], old[0], given[0])) return problem("malformed");
  if (repeats(file.lines[end], old.at(-1), given.at(-1))) return problem("malformed");
  const fitted = respell(old, bareBlock(old, given, asked.path), file.lines);
  return fitted ? placed(old, fitted, start, lines) : problem("malformed");
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
  if (mayEndEarly(old, lines, path, block)) return problem("fence");
  const whole = bareBlock(old, withoutBlankEnd(old, withoutBlankStart(old, lines)), path);
  const fitted = respell(old, whole);
  if (!fitted) return problem("malformed");
  const placement = placed(old, fitted, 0, whole);
  const isShort = placement.type === "placed" && isPart(old, fitted, placement.edits, isGuess);
  return isShort ? problem("omission") : placement;
}

/** The lines of a new file, without the blank lines that models put beside the fences. */
export function newFileLines(lines: readonly string[]): readonly string[] {
  return withoutBlankEnd(["-"], withoutBlankStart(["-"], lines));
}

/** Indents an answer's lines like the code they replace or follow, in case the model left the indentation out. */
export function fitIndentation(code: readonly string[], lines: readonly string[]): readonly string[] {
  const fitted = withFirstIndent(code, lines);
  const { translate } = indentsOf(code, fitted, []);
  return fitted.map((line) => {
    const indent = isFilled(line) ? translate(indentOf(line)) : undefined;
    return indent === undefined ? line : indent + line.slice(indentOf(line).length);
  });
}

function placed(old: readonly string[], lines: readonly string[], offset: number, given: readonly string[]): Placement {
  const edits = diffLines(old, lines).map(({ start, end, newStart, newEnd }) => ({
    start: start + offset,
    end: end + offset,
    lines: lines.slice(newStart, newEnd),
  }));
  if (edits.length === 0) return problem("noChange");
  const isAsGiven = lines.length === given.length && lines.every((line, index) => line === given[index]);
  const around = { start: offset, end: offset + old.length };
  return { type: "placed", edits, match: isAsGiven ? "exact" : "indentation", around };
}

/**
 * Spells new lines as the code does that they replace, where what stays shows that the answer spells all of it otherwise.
 * `undefined` where nobody knows how new lines should be spelled.
 */
function respell(
  code: readonly string[],
  given: readonly string[],
  all: readonly string[] = code,
): readonly string[] | undefined {
  const kept = keptLines(code, given, (line) => plain(line).trim());
  // If nothing else differs, that is the change, and not how the answer was written.
  if (isOnlySpelled(code, given, kept.length)) return given;
  const [first, ...others] = kept;
  const isFirst = !first || (first.at === code.findIndex(isFilled) && first.newAt === given.findIndex(isFilled));
  const areAlike = others.every(({ at, newAt }) => indentOf(code[at] ?? "") === indentOf(given[newAt] ?? ""));
  const lines = isFirst && areAlike ? withFirstIndent(code, given) : given;
  const shared = kept.map(({ at, newAt }) => ({ answer: lines[newAt] ?? "", file: code[at] ?? "" }));
  const indents = indentsOf(code, lines, shared, all);
  const spelled = lines.map(learnSpelling(shared, indents));
  for (const [index, { newAt }] of kept.entries()) {
    const { answer = "", file = "" } = shared[index] ?? {};
    const level = indents.translate(indentOf(answer));
    const rest = file.slice(indentOf(file).length);
    // White space that ends a line of the file may be what the change takes away.
    if (level !== undefined) spelled[newAt] = level + (answer === answer.trimEnd() ? rest.trimEnd() : rest);
  }
  const known = spelled.filter((line) => line !== undefined);
  return known.length < lines.length ? undefined : known;
}

/**
 * How a replacement is indented: as the code, in its kind of blanks, as far to the right, or as one rule has it that
 * explains all lines that stay. What explains most of these is meant, for the others move by the change itself.
 */
function indentsOf(
  code: readonly string[],
  lines: readonly string[],
  shared: readonly SharedLine[],
  all = code,
): Indents {
  const [base, least] = [leastIndent(code), leastIndent(lines)];
  const style = indentStyle(code);
  // A few lines may all be at one level.
  const unit = style.unit === 0 ? indentStyle(all).unit : style.unit;
  const learn = (pairs: readonly SharedLine[]): Indents => learnIndents(pairs, lines, { ...style, unit });
  const shifted = learn([{ answer: `${least}x`, file: `${base}x` }]);
  const same: Indents = { isShift: true, isKnown: true, translate: (indent) => indent };
  const explained = ({ translate }: Indents): number =>
    shared.filter(({ answer, file }) => translate(indentOf(answer)) === indentOf(file)).length;
  const rules = [same, shifted, learn(shared)].filter(
    (rule) => rule === same || (rule.isKnown && !(rule.isShift && least.length === base.length)),
  );
  const isBare = indentOf(lines.find(isFilled) ?? base) === "";
  if (explained(same) === 0 && isBare && base !== "") return shifted;
  return rules.reduce((best, rule) => (explained(rule) > explained(best) ? rule : best), learn([]));
}

/** The lines with the indentation of the first one, if it alone has lost its own. */
function withFirstIndent(code: readonly string[], lines: readonly string[]): readonly string[] {
  const base = leastIndent(code);
  const first = lines.findIndex(isFilled);
  const others = lines.slice(first + 1).filter(isFilled);
  const isBare = first >= 0 && base !== "" && indentOf(lines[first] ?? "") === "";
  const isAlone = others.length > 0 && others.every((line) => line.startsWith(base));
  return isBare && isAlone && leastIndent(code.slice(1)) === base
    ? lines.with(first, base + (lines[first] ?? ""))
    : lines;
}

/** Whether only white space and characters differ. A first line that lost its indentation is the mark of a copy. */
function isOnlySpelled(code: readonly string[], lines: readonly string[], kept: number): boolean {
  const filled = lines.filter(isFilled).length;
  if (code.length !== lines.length || kept !== filled || kept !== code.filter(isFilled).length) return false;
  const isCopy = lines.length > 1 && lines.slice(1).every((line, index) => line === code[index + 1]);
  return !(isCopy && lines.slice(1).some(isFilled) && lines[0] === code[0]?.trimStart());
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
function repeats(beside = "", old = "", line = ""): boolean {
  return says(line) && beside === line && old !== line;
}

/** Whether a fence in the code may have ended the block: one that is as long as its own, or, in Markdown, a new one. */
function mayEndEarly(
  old: readonly string[],
  lines: readonly string[],
  path: string,
  { fence, isBeforeBareBlock }: BlockFacts,
): boolean {
  if (fenceAround(lines).length > fence || fenceAround(old).length > fence) return true;
  return isBeforeBareBlock && /\.(?:md|mdx|markdown|qmd)$/i.test(path);
}

function withoutBlankStart(old: readonly string[], lines: readonly string[]): readonly string[] {
  return lines.length > 1 && !isFilled(lines[0] ?? "") && isFilled(old[0] ?? "") ? lines.slice(1) : lines;
}

function withoutBlankEnd(old: readonly string[], lines: readonly string[]): readonly string[] {
  return lines.length > 1 && !isFilled(lines.at(-1) ?? "") && isFilled(old.at(-1) ?? "") ? lines.slice(0, -1) : lines;
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
