import { lstat, readFile } from "node:fs/promises";
import { join } from "node:path";
import { isSecretPath } from "../reading/secretFiles.ts";
import { estimateTokens } from "../text/estimateTokens.ts";
import { briefReason, type Change, type ChangeKind, type NoDiff, quotePath } from "./change.ts";
import { type FileDiff, newFileDiff, readFileDiff } from "./fileDiff.ts";
import type { Repository } from "./repository.ts";
import { maskLines, maskText } from "../text/maskSecrets.ts";

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

/** Reads how files have changed. */
export interface DiffReader {
  /** The folder that paths are relative to. */
  readonly root: string;
  /** The kinds of changes that it reads. For the others, the request has only the path. */
  readonly kinds: ReadonlySet<ChangeKind>;
  readonly read: (change: Change) => Promise<FileDiff>;
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

/** Maximum size of a file that Git does not track, in bytes. */
const largestFile = 512 * 1024;

/** Number of bytes at the beginning in which a zero marks a file as binary, as in Git (`buffer_is_binary`). */
const binaryPart = 8_000;

/** Reads the diffs of the changes. Files that may hold secrets are never read. */
export async function describeChanges(
  { isStaged, changes }: { readonly isStaged: boolean; readonly changes: readonly Change[] },
  reader: DiffReader,
  signal: AbortSignal,
): Promise<DescribedChanges> {
  const secret = await Promise.all(changes.map((change) => isSecretChange(reader.root, change)));
  const sendable = changes.filter((_, index) => secret[index] !== true);
  const hasDiff = (change: Change): boolean => reader.kinds.has(change.kind) && briefReason(change) === undefined;
  const read = new Set(sendable.filter(hasDiff).slice(0, mostDiffs));
  const describeOne = async (change: Change): Promise<DescribedChange> => {
    if (!hasDiff(change)) return brief(change, briefReason(change));
    return read.has(change) ? withDiff(change, await reader.read(change)) : brief(change, "unread");
  };
  const files: DescribedChange[] = [];
  for (let start = 0; start < sendable.length; start += atOnce) {
    signal.throwIfAborted();
    const some = sendable.slice(start, start + atOnce);
    files.push(...(await Promise.all(some.map(describeOne))));
  }
  return { isStaged, files, secretFiles: changes.length - sendable.length };
}

/** Whether a file may hold secrets, by its path now or before. Neither its text nor its name is sent. */
async function isSecretChange(root: string, { path, from }: Change): Promise<boolean> {
  const names = [path, ...(from === undefined ? [] : [from])];
  return (await Promise.all(names.map((name) => isSecretPath(join(root, name), [root])))).includes(true);
}

function brief(change: Change, reason: NoDiff | undefined): DescribedChange {
  const { name, head } = headOf(change);
  const line = reason === undefined || reason === "unread" ? head : `${head} (${reason})`;
  return { change, name, line, reason, diff: [], raw: [], size: 0 };
}

function withDiff(change: Change, diff: FileDiff): DescribedChange {
  if (typeof diff === "string") return brief(change, diff);
  const lines = maskLines(diff).map((line) => (line.length > longestLine ? `${line.slice(0, longestLine)}…` : line));
  const { name, head } = headOf(change);
  return { change, name, line: head, reason: undefined, diff: lines, raw: diff, size: tokensOf(lines) };
}

/** The name of a file for a prompt, and what happened to it. */
function headOf({ path, from, kind }: Change): { readonly name: string; readonly head: string } {
  const name = maskText(quotePath(path));
  const before = from === undefined ? "" : `${maskText(quotePath(from))} -> `;
  return { name, head: `${kind} ${before}${name}` };
}

/** Tokens of lines with their line breaks. */
export function tokensOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + lineTokens(line), 0);
}

/** Tokens of a line with its line break. */
export function lineTokens(line: string): number {
  return estimateTokens(`${line}\n`);
}

/** Reads the diffs of files that were added or modified. For a commit message, it is enough to know of the others. */
export function messageDiffs(repository: Pick<Repository, "diff" | "root">, isStaged: boolean): DiffReader {
  return {
    root: repository.root,
    kinds: new Set(["added", "modified"]),
    read: async ({ path }) => readFileDiff(await repository.diff(path, isStaged), path),
  };
}

/**
 * Also reads what is different in renamed files, and files that Git does not track, unless they stay closed.
 */
export function reviewDiffs(
  repository: Pick<Repository, "diff" | "renameDiff" | "root">,
  isStaged: boolean,
  isClosed: (path: string) => Promise<boolean>,
): DiffReader {
  const read = async ({ kind, path, from }: Change): Promise<FileDiff> => {
    if (kind === "untracked" && (await isClosed(path))) return "excluded";
    // Git has nothing of the text yet, also if it was told of the new name (`git add --intent-to-add`).
    const isNew = kind === "untracked" || (from !== undefined && !isStaged);
    if (isNew) return await readNewFile(join(repository.root, path));
    if (from === undefined) return readFileDiff(await repository.diff(path, isStaged), path);
    const output = await repository.renameDiff(from, path);
    return output === "" ? [] : readFileDiff(output ?? "", path);
  };
  const { root } = repository;
  return { root, kinds: new Set(["added", "modified", "untracked", "renamed", "copied"]), read };
}

/** Reads a file as a diff that adds all of it. Links are not followed: they may lead out of the repository. */
async function readNewFile(file: string): Promise<FileDiff> {
  try {
    const found = await lstat(file);
    if (!found.isFile()) return "unread";
    if (found.size > largestFile) return "large";
    const bytes = await readFile(file);
    return bytes.subarray(0, binaryPart).includes(0) ? "binary" : newFileDiff(bytes.toString("utf8"));
  } catch {
    return "unread";
  }
}
