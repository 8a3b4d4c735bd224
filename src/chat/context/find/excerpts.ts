import { estimateTokens } from "../../../text/estimateTokens.ts";
import { splitLines } from "../../../text/lines.ts";
import { type Candidate, type Ranked, topicWords, wordsIn } from "./rankFiles.ts";

/** A part of a file, by lines from zero, the end excluded. */
export interface Excerpt {
  readonly path: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly isWhole: boolean;
}

/** Most files of one question, and the least tokens of each. */
const mostFiles = 16;
const leastTokens = 250;

/** Files below this share of the best score are only noise. */
const leastShare = 0.12;

/** The lines shown above and below one that matters. */
const around = 8;

/** What a file costs besides its text. */
const frame = 20;

/** The parts of the best files that fit into `budget` tokens. The better a file, the more of it. */
export function excerptsOf(question: string, ranked: readonly Ranked[], budget: number): readonly Excerpt[] {
  const best = ranked[0]?.score ?? 0;
  const files = ranked.filter(({ score }) => score >= best * leastShare);
  const most = Math.min(mostFiles, files.length, Math.floor(budget / leastTokens));
  const chosen = files.slice(0, most);
  const topic = topicWords(question);
  const excerpts: Excerpt[] = [];
  let left = budget;
  for (const [index, file] of chosen.entries()) {
    const rest = chosen.slice(index).reduce((sum, { score }) => sum + score, 0);
    const later = (chosen.length - index - 1) * leastTokens;
    const share = Math.max(leastTokens, Math.min((left * file.score) / rest, left - later));
    for (const excerpt of partsOf(file, topic, share - frame)) {
      excerpts.push(excerpt);
      left -= estimateTokens(excerpt.text) + frame;
    }
  }
  return excerpts;
}

function partsOf(
  { path, text, declares = [] }: Candidate,
  topic: ReadonlySet<string>,
  budget: number,
): readonly Excerpt[] {
  const lines = splitLines(text);
  const whole = { path, start: 0, end: lines.length, text, isWhole: true };
  if (estimateTokens(text) <= budget) return [whole];
  const tokens = lines.map((line) => estimateTokens(`${line}\n`));
  const found = lines.map((line) => new Set(wordsIn(line).filter((word) => topic.has(word))).size);
  for (const line of declares) if (line < lines.length) found[line] = Infinity;
  const taken = lines.map(() => false);
  let left = budget;
  // A file that only its name or an import speaks for is shown from its start.
  const speaking = [...found.keys()].filter((line) => (found[line] ?? 0) > 0);
  const order = (speaking.length > 0 ? speaking : [...found.keys()]).toSorted(
    (one, other) => (found[other] ?? 0) - (found[one] ?? 0) || one - other,
  );
  for (const line of order) {
    const [start, end] = [Math.max(0, line - around), Math.min(lines.length, line + around + 1)];
    const cost = tokens.slice(start, end).reduce((sum, count, index) => sum + (taken[start + index] ? 0 : count), 0);
    if (cost > left) continue;
    left -= cost;
    taken.fill(true, start, end);
    if (left < 20) break;
  }
  return rangesOf(taken).map(({ start, end }) => ({
    path,
    start,
    end,
    text: lines.slice(start, end).join("\n"),
    isWhole: false,
  }));
}

function rangesOf(taken: readonly boolean[]): readonly { readonly start: number; readonly end: number }[] {
  const ranges: { start: number; end: number }[] = [];
  for (const [line, isTaken] of taken.entries()) {
    const last = ranges.at(-1);
    if (isTaken && last?.end === line) last.end += 1;
    else if (isTaken) ranges.push({ start: line, end: line + 1 });
  }
  return ranges;
}
