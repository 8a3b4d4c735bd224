import { squeeze, weight } from "./overlap.ts";

/** Longest group of lines that is looked for again right after itself. */
const longestGroup = 12;
/** How much an answer says at least that is cut off where it starts anew. */
const leastHalf = 20;

/** The answer up to where it says the same line, or the same few lines, again and again. */
export function withoutLoops(answer: string, linePrefix: string): string {
  if (!answer.trim().includes("\n")) return withoutPeriod(answer);
  const lines = answer.split("\n");
  const filled: Line[] = [];
  for (const [at, line] of lines.entries()) {
    const text = (at === 0 ? linePrefix + line : line).trimEnd();
    if (text.trim() !== "")
      filled.push({ at, text: at === 0 && linePrefix.trim() === "" ? text.trim() : text, said: line.trim() });
  }
  // After the start of a line, the model repeats either the rest of it or the whole.
  const [first, second] = filled;
  if (
    first?.at === 0 &&
    second &&
    weight(first.said) >= (linePrefix.trim() === "" ? 5 : 2) &&
    second.said === first.said
  )
    return lines[0] ?? answer;
  for (let index = 0; index < filled.length - 1; index += 1) {
    const size = loopAt(filled, index);
    if (size > 0) return lines.slice(0, (filled[index + size - 1]?.at ?? 0) + 1).join("\n");
  }
  return firstOfTwo(answer, linePrefix) ?? answer;
}

/** The first half of an answer that is said twice, with the start of the line between or without. */
function firstOfTwo(answer: string, linePrefix: string): string | undefined {
  const said = squeeze(answer);
  for (const between of new Set(["", squeeze(linePrefix).text])) {
    const half = (said.text.length - between.length) / 2;
    if (!Number.isInteger(half) || half < leastHalf) continue;
    const isTwice = said.text.startsWith(between, half) && said.text.endsWith(said.text.slice(0, half));
    if (isTwice && weight(said.text.slice(0, half)) >= leastHalf) return answer.slice(0, (said.at[half - 1] ?? 0) + 1);
  }
  return undefined;
}

/** One line up to where it says the same text for the second time, if it does so to its end and at least three times. */
function withoutPeriod(line: string): string {
  const text = line.trimEnd();
  if (text.length > 4_096) return line;
  const period = `${text}${text}`.indexOf(text, 1);
  const once = text.slice(0, period);
  return period > 0 && 3 * period <= text.length && weight(once) >= 8 ? once : line;
}

interface Line {
  readonly at: number;
  readonly text: string;
  /** What the answer says of the line. */
  readonly said: string;
}

/** How many lines are repeated from here on; 0 for none. */
function loopAt(lines: readonly Line[], start: number): number {
  for (let size = 1; size <= longestGroup; size += 1) {
    if (!isSame(lines, start, start + size, size)) continue;
    const says = lines.slice(start, start + size).reduce((sum, { text }) => sum + weight(text), 0);
    const isCertain = size === 1 && says >= 8;
    if (isCertain || (size > 1 && says >= 40 && start + 2 * size === lines.length)) return size;
    const times = size === 1 && says < 4 ? 4 : 3;
    if (Array.from({ length: times - 2 }).every((_, at) => isSame(lines, start, start + (at + 2) * size, size)))
      return size;
  }
  return 0;
}

function isSame(lines: readonly Line[], one: number, other: number, size: number): boolean {
  for (let index = 0; index < size; index += 1) {
    const [first, second] = [lines[one + index], lines[other + index]];
    if (first === undefined || second === undefined) return false;
    if (first.text === second.text) continue;
    const isFirst = one + index === 0;
    // Brackets and words that end blocks stand one below the other, each with its own indentation.
    if (!isFirst || weight(first.said) < 4) return false;
    if (second.said !== first.said && second.said !== first.text.trim()) return false;
  }
  return true;
}
