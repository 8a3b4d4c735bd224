import { diffLines } from "./diffLines.ts";

/** The positions of a line that stays: among the old lines and among the new ones. */
export interface KeptLine {
  readonly at: number;
  readonly newAt: number;
}

/** The old lines that are among the new ones where `likeness` of both is the same. Blank lines do not count. */
export function keptLines(
  old: readonly string[],
  lines: readonly string[],
  likeness: (line: string) => string,
): readonly KeptLine[] {
  const kept: KeptLine[] = [];
  let [at, newAt] = [0, 0];
  const keep = (until: number): void => {
    for (; at < until; at += 1, newAt += 1) if (old[at]?.trim() !== "") kept.push({ at, newAt });
  };
  for (const { start, end, newEnd } of diffLines(old.map(likeness), lines.map(likeness))) {
    keep(start);
    [at, newAt] = [end, newEnd];
  }
  keep(old.length);
  return kept;
}
