import { FileSystemError, Uri, workspace } from "vscode";
import type { ImageHistory } from "./imageHistory.ts";

/** Removes deleted images from the history. */
export async function forgetMissing(history: ImageHistory): Promise<void> {
  const files = history.all().map(({ file }) => file);
  const missing = await Promise.all(files.map(isMissing));
  await history.remove(new Set(files.filter((_, index) => missing[index])));
}

async function isMissing(file: string): Promise<boolean> {
  try {
    await workspace.fs.stat(Uri.parse(file));
    return false;
  } catch (error) {
    // Any other failure, such as a lost remote connection, says nothing about the file.
    return error instanceof FileSystemError && error.code === "FileNotFound";
  }
}
