import type { Diagnostic } from "./codeContext.ts";
import type { LineRange } from "../text/lineRange.ts";

/** An error as a language service reports it. */
export interface Problem extends Diagnostic {
  readonly source: string;
  /** The language service's own code for it, as text. */
  readonly code: string;
}

/**
 * The problems that were not there before, in the order they are given. Lines move with every edit, so problems are told
 * apart by what they say: of several that say the same, as many as there were before are old, first those outside the
 * changed lines.
 */
export function newProblems(
  before: readonly Problem[],
  now: readonly Problem[],
  changed: readonly LineRange[],
): readonly Problem[] {
  const old = new Map<string, number>();
  for (const problem of before) old.set(keyOf(problem), (old.get(keyOf(problem)) ?? 0) + 1);
  const isOld = (problem: Problem): boolean => {
    const left = old.get(keyOf(problem)) ?? 0;
    old.set(keyOf(problem), left - 1);
    return left > 0;
  };
  const isInside = ({ line }: Problem): boolean => changed.some(({ start, end }) => start <= line && line < end);
  const [outside, inside] = [now.filter((problem) => !isInside(problem)), now.filter(isInside)];
  const oldOnes = new Set([...outside, ...inside].filter(isOld));
  return now.filter((problem) => !oldOnes.has(problem));
}

/** Of the problems, as many as there were before: what has been fixed is gone, and none is added. */
export function stillThere(before: readonly Problem[], now: readonly Problem[]): readonly Problem[] {
  const added = new Set(newProblems(before, now, []));
  return now.filter((problem) => !added.has(problem));
}

function keyOf({ message, code, source }: Problem): string {
  return JSON.stringify([message, code, source]);
}
