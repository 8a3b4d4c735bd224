import { estimateTokens } from "../text/estimateTokens.ts";
import { type BriefReason, briefReason, type Change, isSecretChange, quotePath } from "./change.ts";
import { readFileDiff } from "./fileDiff.ts";
import { maskLines, maskText } from "../text/maskSecrets.ts";

/** Why there is no diff of a file that has one, or that needs none. */
type NoDiff = BriefReason | "unread";

/** A changed file for a prompt: one line about it, and the lines of its diff, without secrets. */
export interface DescribedChange {
  readonly change: Change;
  readonly name: string;
  /** One line: what happened to the file, and why there is no diff. */
  readonly line: string;
  /** Why there is no diff, if the kind of change does not say it. */
  readonly reason: NoDiff | undefined;
  readonly diff: readonly string[];
  /** The same lines as they are in the repository. They may hold secrets, and are never sent. */
  readonly raw: readonly string[];
  /** Tokens of the diff. */
  readonly size: number;
}

/** All changes, and the number of files that are not even named because they may hold secrets. */
export interface DescribedChanges {
  readonly isStaged: boolean;
  readonly files: readonly DescribedChange[];
  readonly secretFiles: number;
}

/** Number of files whose diffs are read; the others are only named. */
const mostDiffs = 200;

/** Diffs that Git makes at the same time. */
const atOnce = 4;

/** Maximum length of a line in a prompt, in characters. */
const longestLine = 400;

/** Reads the diffs of the changes. Files that may hold secrets are never read. */
export async function describeChanges(
  { isStaged, changes }: { readonly isStaged: boolean; readonly changes: readonly Change[] },
  readDiff: (path: string) => Promise<string>,
  signal: AbortSignal,
): Promise<DescribedChanges> {
  const sendable = changes.filter((change) => !isSecretChange(change));
  const read = new Set(sendable.filter(hasDiff).slice(0, mostDiffs));
  const files: DescribedChange[] = [];
  for (let start = 0; start < sendable.length; start += atOnce) {
    signal.throwIfAborted();
    const some = sendable.slice(start, start + atOnce);
    files.push(...(await Promise.all(some.map((change) => describe(change, read.has(change) ? readDiff : undefined)))));
  }
  return { isStaged, files, secretFiles: changes.length - sendable.length };
}

/** Whether a change is told by its diff. A path says all about the others. */
function hasDiff(change: Change): boolean {
  return (change.kind === "added" || change.kind === "modified") && briefReason(change) === undefined;
}

async function describe(
  change: Change,
  readDiff: ((path: string) => Promise<string>) | undefined,
): Promise<DescribedChange> {
  const name = maskText(quotePath(change.path));
  const from = change.from === undefined ? "" : `${maskText(quotePath(change.from))} -> `;
  const head = `${change.kind} ${from}${name}`;
  const brief = (reason: NoDiff | undefined = briefReason(change)): DescribedChange => {
    const line = reason === undefined || reason === "unread" ? head : `${head} (${reason})`;
    return { change, name, line, reason, diff: [], raw: [], size: 0 };
  };
  if (readDiff === undefined) return brief(hasDiff(change) ? "unread" : undefined);
  const diff = readFileDiff(await readDiff(change.path), change.path);
  if (diff.type === "unreadable") return brief("unread");
  if (diff.type !== "hunks") return brief(diff.type);
  const lines = maskLines(diff.lines).map((line) =>
    line.length > longestLine ? `${line.slice(0, longestLine)}…` : line,
  );
  return { change, name, line: head, reason: undefined, diff: lines, raw: diff.lines, size: tokensOf(lines) };
}

/** Tokens of lines with their line breaks. */
export function tokensOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + lineTokens(line), 0);
}

/** Tokens of a line with its line break. */
export function lineTokens(line: string): number {
  return estimateTokens(`${line}\n`);
}
