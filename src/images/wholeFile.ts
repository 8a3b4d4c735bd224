import { type Uri, workspace } from "vscode";

/**
 * Writes a file, and throws unless all of it is there: VS Code can report success although the disk is full
 * (microsoft/vscode#73038).
 */
export async function writeWhole(file: Uri, bytes: Uint8Array): Promise<void> {
  await workspace.fs.writeFile(file, bytes);
  const written = await workspace.fs.readFile(file);
  if (Buffer.compare(bytes, written) === 0) return;
  throw new Error(`${written.length} of ${bytes.length} bytes were written. The disk may be full.`);
}

/** Deletes an unreferenced file. Ignores failures. */
export async function deleteQuietly(file: Uri): Promise<void> {
  try {
    await workspace.fs.delete(file);
  } catch {
    // The file may not exist.
  }
}
