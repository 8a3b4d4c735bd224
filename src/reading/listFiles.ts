import { type Dirent, opendirSync } from "node:fs";
import { opendir } from "node:fs/promises";
import { type CancellationToken, RelativePattern, Uri, workspace } from "vscode";
import { excludedIn, skippedFolderNames, skippedFolders } from "./excludeSettings.ts";

/** Number of folders to read at the same time, and of entries to read from one at a time. */
const concurrency = 32;
const bufferSize = 1_000;
/** How long folders, or files, are read synchronously, in milliseconds: a wait takes 5 to 30 ms while VS Code shows a question. */
export const syncTime = 50;

/**
 * Lists up to `limit` files of folders, by default the workspace, without what is skipped or `files.exclude` hides. Local folders
 * are listed by Node, those near the root first: VS Code lists files through the window, which is busy when it shows a
 * question (40 ms, VS Code 1.139). Links to folders are not followed: they lead outside, or to files with their own paths.
 */
export async function listFiles(
  limit: number,
  token: CancellationToken | undefined,
  roots: readonly Uri[] = (workspace.workspaceFolders ?? []).map(({ uri }) => uri),
): Promise<readonly Uri[]> {
  if (roots.some(({ scheme }) => scheme !== "file")) {
    const patterns = roots.map((root) => new RelativePattern(root, "**/*"));
    const found = patterns.map((pattern) => workspace.findFiles(pattern, skippedFolders, limit, token));
    return (await Promise.all(found)).flat().slice(0, limit);
  }
  const names = new Set(roots.map(String));
  const files: Uri[] = [];
  const folders = roots.map((uri) => {
    return { uri, isExcluded: excludedIn(workspace.getWorkspaceFolder(uri)?.uri ?? uri, "files") };
  });
  let read = 0;
  const start = performance.now();
  while (read < Math.min(folders.length, limit) && files.length < limit && !token?.isCancellationRequested) {
    const batch = folders.slice(read, read + concurrency);
    read += batch.length;
    const listed = await Promise.all(
      batch.map(({ uri }) => entriesIn(uri, limit, performance.now() - start <= syncTime)),
    );
    for (const [index, { uri: folder, isExcluded }] of batch.entries()) {
      for (const entry of listed[index] ?? []) {
        const uri = Uri.joinPath(folder, entry.name);
        if (isExcluded(uri)) continue;
        if (!entry.isDirectory()) files.push(uri);
        // A folder of the workspace in another one is listed once.
        else if (!names.has(uri.toString())) folders.push({ uri, isExcluded });
      }
    }
  }
  return files.slice(0, limit);
}

/** Up to `limit` files and links, and the folders before them that are not skipped; none in a folder that cannot be read. */
async function entriesIn(folder: Uri, limit: number, isSync: boolean): Promise<readonly Dirent[]> {
  const entries: Dirent[] = [];
  let files = 0;
  try {
    const directory = await (isSync ? opendirSync : opendir)(folder.fsPath, { bufferSize });
    try {
      // The first comes with up to `bufferSize` others.
      const first = isSync ? directory.readSync() : await directory.read();
      for (let entry = first; entry && files < limit; entry = directory.readSync()) {
        const isListed = entry.isDirectory() ? !skippedFolderNames.includes(entry.name) : isFileOrLink(entry);
        if (!isListed) continue;
        entries.push(entry);
        if (!entry.isDirectory()) files += 1;
      }
    } finally {
      directory.closeSync();
    }
  } catch {
    // Another program removed or protected the folder. Its files could not be read either.
  }
  return entries;
}

function isFileOrLink(entry: Dirent): boolean {
  return entry.isFile() || entry.isSymbolicLink();
}
