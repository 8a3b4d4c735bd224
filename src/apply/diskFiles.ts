import { chmod, mkdir, readFile, stat, unlink, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { FileSystemError, Uri, workspace } from "vscode";
import { hasCode } from "../text/missingFiles.ts";
import type { Files } from "./fileChange.ts";

/**
 * The files of the workspace. Those on this machine are accessed without VS Code, whose file service does not keep
 * permissions (`IStat` in vscode.d.ts has none) and may move deleted files to the trash.
 */
export const diskFiles: Files = {
  async read(text) {
    const uri = Uri.parse(text, true);
    try {
      return await (uri.scheme === "file" ? readFile(uri.fsPath) : workspace.fs.readFile(uri));
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  },

  async write(text, bytes, mode) {
    const uri = Uri.parse(text, true);
    if (uri.scheme !== "file") {
      await workspace.fs.writeFile(uri, bytes);
      return;
    }
    await mkdir(dirname(uri.fsPath), { recursive: true });
    await writeFile(uri.fsPath, bytes);
    if (mode !== undefined && (await modeOf(text)) !== mode) await chmod(uri.fsPath, mode);
  },

  async remove(text) {
    const uri = Uri.parse(text, true);
    await (uri.scheme === "file" ? unlink(uri.fsPath) : workspace.fs.delete(uri));
  },
};

/** The permissions of a file on this machine; `undefined` for other files and if there is none. */
export async function modeOf(text: string): Promise<number | undefined> {
  const uri = Uri.parse(text, true);
  if (uri.scheme !== "file") return undefined;
  try {
    return (await stat(uri.fsPath)).mode & 0o7777;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  if (error instanceof FileSystemError) return error.code === "FileNotFound";
  return hasCode(error, "ENOENT") || hasCode(error, "ENOTDIR");
}
