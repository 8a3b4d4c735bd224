import { type Uri, workspace } from "vscode";

/** Writes a file, and throws unless all of it is there: VS Code reports success where a disk was full midway. */
export async function writeWhole(file: Uri, bytes: Uint8Array): Promise<void> {
  await workspace.fs.writeFile(file, bytes);
  const written = await workspace.fs.readFile(file);
  if (Buffer.compare(bytes, written) === 0) return;
  throw new Error(`${written.length} of ${bytes.length} bytes were written. The disk may be full.`);
}

/** Deletes a file that nothing refers to any more; one that stays behind is no reason to report a failure. */
export async function deleteQuietly(file: Uri): Promise<void> {
  try {
    await workspace.fs.delete(file);
  } catch {
    // It may never have been there.
  }
}
