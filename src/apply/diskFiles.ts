import { chmod, mkdir, readFile, rmdir, stat, unlink, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout } from "node:timers/promises";
import { FileSystemError, Uri, workspace } from "vscode";
import { hasCode, isMissing, unlessMissing, retryWhileLocked } from "../files/fileErrors.ts";
import { isInside } from "../files/realPath.ts";
import { openDocument } from "../ui/openDocument.ts";
import type { FileAccess } from "./diskChange.ts";

/** How long an open document may stay dirty after it was saved, and how often to check, in milliseconds. */
const saveTimeout = 1_000;
const pause = 50;

/**
 * The files of the workspace. Those on this machine are accessed without VS Code, whose file service does not keep
 * permissions (`IStat` in vscode.d.ts has none) and may move deleted files to the trash.
 */
export const diskFiles: FileAccess = {
  async read(text) {
    const uri = Uri.parse(text, true);
    const unsaved = unsavedBytes(uri);
    if (unsaved instanceof Uint8Array) return unsaved;
    return await unlessMissing(uri.scheme === "file" ? readFile(uri.fsPath) : workspace.fs.readFile(uri), isNotFound);
  },

  async save(text) {
    const uri = Uri.parse(text, true);
    const document = openDocument(uri);
    if (!document?.isDirty) return false;
    if (await document.save()) return true;
    // `save` also returns false if Auto Save was faster, and `isDirty` changes a little later.
    for (let waited = 0; openDocument(uri)?.isDirty && waited < saveTimeout; waited += pause) await setTimeout(pause);
    if (openDocument(uri)?.isDirty) throw new Error(`Not saved: ${document.fileName}`);
    return true;
  },

  async write(text, bytes, mode) {
    const uri = Uri.parse(text, true);
    if (uri.scheme !== "file") {
      await workspace.fs.writeFile(uri, bytes);
      return;
    }
    // The file's current permissions take precedence: the user may have changed them since the edit was proposed.
    const wanted = (await modeOf(text)) ?? mode;
    await mkdir(dirname(uri.fsPath), { recursive: true });
    // Created with its permissions, so that no other user can read it in between; the system may remove some of them.
    await retryWhileLocked(() => writeFile(uri.fsPath, bytes, { ...(wanted !== undefined && { mode: wanted }) }));
    if (wanted !== undefined && (await modeOf(text)) !== wanted) await chmod(uri.fsPath, wanted);
  },

  async remove(text) {
    const uri = Uri.parse(text, true);
    await (uri.scheme === "file" ? retryWhileLocked(() => unlink(uri.fsPath)) : workspace.fs.delete(uri));
  },

  async missingFolder(text) {
    const uri = Uri.parse(text, true);
    let missing: string | undefined;
    if (uri.scheme !== "file") return missing;
    const exists = (path: string): Promise<unknown> => unlessMissing(stat(path), isNotFound);
    for (let path = dirname(uri.fsPath); !(await exists(path)); path = dirname(path)) missing = path;
    return missing && Uri.file(missing).toString();
  },

  async removeFolders(text, top) {
    const [file, last] = [Uri.parse(text, true).fsPath, Uri.parse(top, true).fsPath];
    for (let path = dirname(file); isInside(path, last); path = dirname(path)) {
      try {
        await rmdir(path);
      } catch (error) {
        // The folder has other files now, so it stays, and so do its parents.
        if (!isNotFound(error)) return;
      }
    }
  },
};

/** What saving a file will write, where it has unsaved changes: `unreadable` if that is not UTF-8. */
export function unsavedBytes(uri: Uri): Uint8Array | "unreadable" | undefined {
  const document = openDocument(uri);
  if (!document?.isDirty) return undefined;
  // The names of encodings are those of `encoding.ts` in VS Code 1.139.1.
  if (document.encoding !== "utf8" && document.encoding !== "utf8bom") return "unreadable";
  return new TextEncoder().encode((document.encoding === "utf8bom" ? "\uFEFF" : "") + document.getText());
}

/** The permissions of a file on this machine; `undefined` for other files and if there is none. */
export async function modeOf(text: string): Promise<number | undefined> {
  const uri = Uri.parse(text, true);
  const stats = uri.scheme === "file" ? await unlessMissing(stat(uri.fsPath), isNotFound) : undefined;
  return stats && stats.mode & 0o7777;
}

/** Whether an error means that nothing is at a path: a name is missing, or a part of the path is a file. */
function isNotFound(error: unknown): boolean {
  if (error instanceof FileSystemError) return error.code === "FileNotFound";
  return isMissing(error) || hasCode(error, "ENOTDIR");
}
