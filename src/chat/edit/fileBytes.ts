import { FileType, type Uri, workspace } from "vscode";
import { diskFiles, unsavedBytes } from "../../apply/diskFiles.ts";
import { fileLimit } from "../context/readFile.ts";

/** A file as it is now, including unsaved changes: its bytes once it is saved, and its text with the byte order mark. */
export interface FileBytes {
  readonly bytes: Uint8Array;
  readonly text: string;
}

/** Reads a file as UTF-8 text: `missing`, or `unreadable` for what is no such text or too large. */
export async function readBytes(uri: Uri): Promise<FileBytes | "missing" | "unreadable"> {
  const unsaved = unsavedBytes(uri);
  if (unsaved !== undefined) return unsaved === "unreadable" ? unsaved : textIn(unsaved);
  try {
    const { type, size } = await workspace.fs.stat(uri);
    if ((type & FileType.Directory) !== 0) return "missing";
    if ((type & FileType.File) === 0 || size > fileLimit) return "unreadable";
  } catch {
    // Whatever the reason, there is nothing to read. If the file is there after all, the edit is not applied.
    return "missing";
  }
  const bytes = await diskFiles.read(uri.toString());
  return bytes === undefined ? "missing" : textIn(bytes);
}

function textIn(bytes: Uint8Array): FileBytes | "unreadable" {
  const text = decode(bytes);
  return text === undefined ? "unreadable" : { bytes, text };
}

/** The text of a file; `undefined` if it is not UTF-8 or binary. The byte order mark stays. */
function decode(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}
