import { type DescribedChange, tokensOf } from "../describeChanges.ts";

/** A line of a diff that is still there after the change. */
export interface ShownLine {
  /** Its number in the changed file, from 1. */
  readonly number: number;
  /** Its text as it is sent: without secrets, and not longer than a prompt allows. */
  readonly sent: string;
  /** Its text in the repository. */
  readonly raw: string;
}

/** A changed file whose diff shows the number of each line. */
export interface NumberedChange extends DescribedChange {
  /** What each line of the diff shows; nothing for removed lines and the heads of hunks. */
  readonly shown: readonly (ShownLine | undefined)[];
  /** Whether a line is too long to be sent in full. */
  readonly hasLongLines: boolean;
}

/** Numbers the lines of a diff as they are after the change, so that an answer can say which of them it is about. */
export function numberDiff(file: DescribedChange): NumberedChange {
  const diff: string[] = [];
  const shown: (ShownLine | undefined)[] = [];
  let number = 0;
  for (const [index, raw] of file.raw.entries()) {
    const sent = file.diff[index] ?? "";
    const start = /^@@ -\d+(?:,\d+)? \+(\d+)/.exec(raw)?.[1];
    if (start !== undefined) number = Number(start);
    // Git's note about a missing line break at the end is no line.
    if (start === undefined && raw.startsWith("\\")) continue;
    const isShown = start === undefined && !raw.startsWith("-");
    diff.push(start === undefined ? `${isShown ? number : ""}|${sent}` : sent);
    shown.push(isShown ? { number, sent: sent.slice(1), raw: raw.slice(1) } : undefined);
    if (isShown) number += 1;
  }
  const hasLongLines = file.raw.some((raw, index) => {
    const { length } = file.diff[index] ?? "";
    return length < raw.length && (file.diff[index] ?? "").endsWith("…");
  });
  return { ...file, diff, shown, hasLongLines, size: tokensOf(diff) };
}
