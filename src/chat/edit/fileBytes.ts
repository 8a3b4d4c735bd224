import { FileType, type TextDocument, type Uri, workspace } from "vscode";
import { diskFiles } from "../../apply/diskFiles.ts";
import { fileLimit } from "../context/readFile.ts";

/** A file as it is now, including unsaved changes: its bytes once it is saved, and its text with the byte order mark. */
export interface FileBytes {
  readonly bytes: Uint8Array;
  readonly text: string;
}

const mark = "\uFEFF";

/** Reads a file as UTF-8 text: `missing`, or `unreadable` for what is no such text or too large. */
export async function readBytes(uri: Uri): Promise<FileBytes | "missing" | "unreadable"> {
  const document = openDocument(uri);
  if (document?.isDirty) return bytesOf(document);
  try {
    const { type, size } = await workspace.fs.stat(uri);
    if ((type & FileType.File) === 0 || size > fileLimit) return "unreadable";
  } catch {
    // Whatever the reason, there is nothing to read; writing finds out about the others.
    return "missing";
  }
  const bytes = await diskFiles.read(uri.toString());
  if (bytes === undefined) return "missing";
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

/** The open document of a file. */
export function openDocument(uri: Uri): TextDocument | undefined {
  return workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
}

/** What saving a document will write. VS Code's names of encodings: `encoding.ts` in VS Code 1.139.1. */
function bytesOf(document: TextDocument): FileBytes | "unreadable" {
  if (document.encoding !== "utf8" && document.encoding !== "utf8bom") return "unreadable";
  const text = (document.encoding === "utf8bom" ? mark : "") + document.getText();
  return { bytes: new TextEncoder().encode(text), text };
}
