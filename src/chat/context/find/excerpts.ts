import { posix } from "node:path";
import { estimateTokens } from "../../../prompts/estimateTokens.ts";
import { splitLines } from "../../../text/lines.ts";
import { type Candidate, matchingTerms, type Ranked, termsOf } from "./rankFiles.ts";

/** Lines of a file, from zero, the end excluded. */
export interface Excerpt<File extends Candidate = Candidate> {
  readonly file: File;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly isWhole: boolean;
}

/** Maximum number of files for a question, and minimum tokens for each. */
const maxFiles = 16;
const minTokens = 250;

/** Files below this share of the best score are noise. */
const minScoreShare = 0.12;

/** Number of lines to show above and below a matching line. */
const contextLines = 8;

/** Tokens of an excerpt in addition to its text. */
const tokensPerExcerpt = 20;

/** A file as a whole. */
export function wholeOf<File extends Candidate>(file: File): Excerpt<File> {
  const { text } = file;
  return { file, start: 0, end: splitLines(text).length, text, isWhole: true };
}

/** Excerpts of the best files that fit into `budget` tokens. Files with a higher score get a larger part of it. */
export function excerptsOf<File extends Candidate>(
  question: string,
  ranked: readonly Ranked<File>[],
  budget: number,
): readonly Excerpt<File>[] {
  const minScore = (ranked[0]?.score ?? 0) * minScoreShare;
  const files = ranked.filter(({ score }) => score >= minScore).slice(0, Math.min(maxFiles, budget / minTokens));
  const terms = termsOf(question);
  const excerpts: Excerpt<File>[] = [];
  let remaining = budget;
  for (const [index, file] of files.entries()) {
    const scores = files.slice(index).reduce((sum, { score }) => sum + score, 0);
    const reserved = (files.length - index - 1) * minTokens;
    const share = Math.max(minTokens, Math.min((remaining * file.score) / scores, remaining - reserved));
    const named = [...(file.declarations ?? []), ...linesNamed(question, file.path)];
    for (const excerpt of excerptsFrom(file, terms, named, share)) {
      excerpts.push(excerpt);
      remaining -= estimateTokens(excerpt.text) + tokensPerExcerpt;
    }
  }
  return excerpts;
}

/** A line of a file, as in `cart.ts:26`, `cart.ts#L26`, `cart.ts(26,5)`, or `"cart.py", line 26`. */
const namedLine = /([\p{L}\p{N}_$.-]{1,100})(?:[:(]|#L|"?,? line | ?第 ?)(\d{1,7})/gu;

/** The lines of a file, from zero, that a question names. */
function linesNamed(question: string, path: string): readonly number[] {
  const name = posix.basename(path);
  return Array.from(question.matchAll(namedLine), ([, file, line]) => (file === name ? Number(line) - 1 : -1));
}

function excerptsFrom<File extends Candidate>(
  file: File,
  terms: ReadonlySet<string>,
  named: readonly number[],
  budget: number,
): readonly Excerpt<File>[] {
  const { text } = file;
  if (estimateTokens(text) + tokensPerExcerpt <= budget) return [wholeOf(file)];
  const lines = splitLines(text);
  const tokens = lines.map((line) => estimateTokens(`${line}\n`));
  const relevance = lines.map((line, index) => (named.includes(index) ? Infinity : matchingTerms(line, terms).size));
  const matching = [...relevance.keys()].filter((line) => (relevance[line] ?? 0) > 0);
  // Where only the file's name or an import matches, its first lines are shown.
  const order = (matching.length > 0 ? matching : [...relevance.keys()]).toSorted(
    (one, other) => (relevance[other] ?? 0) - (relevance[one] ?? 0) || one - other,
  );
  const isShown = lines.map(() => false);
  let remaining = budget;
  for (const line of order) {
    const [start, end] = [Math.max(0, line - contextLines), Math.min(lines.length, line + contextLines + 1)];
    const isJoined = isShown.slice(Math.max(0, start - 1), end + 1).includes(true);
    const added = tokens.slice(start, end).filter((_, index) => !isShown[start + index]);
    const cost = added.reduce((sum, count) => sum + count, isJoined ? 0 : tokensPerExcerpt);
    if (cost > remaining) continue;
    remaining -= cost;
    isShown.fill(true, start, end);
    if (remaining < 20) break;
  }
  return rangesOf(isShown).map(([start, end]) => {
    return { file, start, end, text: lines.slice(start, end).join("\n"), isWhole: false };
  });
}

/** The ranges of consecutive `true` values, each with its end excluded. */
function rangesOf(values: readonly boolean[]): readonly (readonly [start: number, end: number])[] {
  const starts = [...values.keys()].filter((index) => values[index] && !values[index - 1]);
  return starts.map((start) => {
    const end = values.indexOf(false, start);
    return [start, end < 0 ? values.length : end];
  });
}
