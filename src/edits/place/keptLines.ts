import { diffLines } from "../../text/diffLines.ts";
import { indentOf, isFilled } from "../../text/lines.ts";

/** The positions of a line that stays: among the old lines and among the new ones. */
interface KeptLine {
  readonly at: number;
  readonly newAt: number;
}

/** The old lines that are among the new ones where `look` of both is the same. Blank lines do not count. */
export function keptLines(
  old: readonly string[],
  lines: readonly string[],
  look: (line: string) => string,
): readonly KeptLine[] {
  const kept: KeptLine[] = [];
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

/** The least indentation of lines that are not blank; the most if all are. */
export function leastIndent(lines: readonly string[]): string {
  const filled = lines.filter(isFilled).map(indentOf);
  if (filled.length > 0) return filled.reduce((least, one) => (one.length < least.length ? one : least));
  return lines.reduce((most, one) => (one.length > most.length ? one : most), "");
}
