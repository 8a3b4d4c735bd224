import { lstat, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Change } from "./change.ts";
import type { DiffReader } from "./describeChanges.ts";
import { type FileDiff, newFileDiff, readFileDiff } from "./fileDiff.ts";
import type { Repository } from "./repository.ts";

/** Maximum size of a file that Git does not track, in bytes. */
const largestFile = 512 * 1024;

/** Number of bytes at the beginning in which a zero marks a file as binary, as in Git (`buffer_is_binary`). */
const binaryPart = 8_000;

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
    if (kind === "untracked" && (await isClosed(path))) return { type: "excluded" };
    // Git has nothing of the text yet, also if it was told of the new name (`git add --intent-to-add`).
    const isNew = kind === "untracked" || (from !== undefined && !isStaged);
    if (isNew) return await readNewFile(join(repository.root, path));
    if (from === undefined) return readFileDiff(await repository.diff(path, isStaged), path);
    const output = await repository.renameDiff(from, path);
    return output === "" ? { type: "hunks", lines: [] } : readFileDiff(output ?? "", path);
  };
  const { root } = repository;
  return { root, kinds: new Set(["added", "modified", "untracked", "renamed", "copied"]), read };
}

/** Reads a file as a diff that adds all of it. Links are not followed: they may lead out of the repository. */
async function readNewFile(file: string): Promise<FileDiff> {
  try {
    const found = await lstat(file);
    if (!found.isFile()) return { type: "unreadable" };
    if (found.size > largestFile) return { type: "large" };
    const bytes = await readFile(file);
    return bytes.subarray(0, binaryPart).includes(0) ? { type: "binary" } : newFileDiff(bytes.toString("utf8"));
  } catch {
    return { type: "unreadable" };
  }
}
