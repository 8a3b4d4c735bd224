/** Folders with dependencies, build output, or Git's own data. */
const names: readonly string[] = ["node_modules", ".git", "dist", "out", "build"];

/** Matches files in folders that are neither listed nor searched. */
export const skippedFolders = `**/{${names.join(",")}}/**`;

/** Whether a file is in such a folder. */
export function isInSkippedFolder(path: string): boolean {
  return path
    .split("/")
    .slice(0, -1)
    .some((name) => names.includes(name));
}
