import { FileType, type Range, type TextDocument, type Uri, workspace } from "vscode";
import { nameInRequests } from "../../reading/promptPaths.ts";
import { splitLines } from "../../text/lines.ts";
import { maskText } from "../../text/maskSecrets.ts";
import { openDocument } from "../../ui/openDocument.ts";
import type { ContextPart } from "./planQuestion.ts";

/** Maximum size of a file to read, in bytes. */
export const fileLimit = 2_000_000;

/** Control characters that mark a file as binary. */
const binary = /[\0-\x08]/;

/** The size of a file in bytes, with unsaved changes its length; `undefined` for what is no file. */
export async function sizeOf(uri: Uri): Promise<number | undefined> {
  const open = openDocument(uri);
  if (open) return open.getText().length;
  try {
    const { type, size } = await workspace.fs.stat(uri);
    return (type & FileType.File) === 0 ? undefined : size;
  } catch {
    return undefined;
  }
}

/**
 * The text of a file without secrets, or of the whole lines of a range, including unsaved changes. `undefined` for files that are
 * binary, larger than `limit` bytes or missing. `folder` is the one that it is read with.
 */
export async function readFile(
  uri: Uri,
  limit: number,
  { range, folder }: { readonly range?: Range | undefined; readonly folder?: Uri } = {},
): Promise<ContextPart | undefined> {
  try {
    if (!openDocument(uri) && ((await sizeOf(uri)) ?? Infinity) > limit) return undefined;
    const document = await workspace.openTextDocument(uri);
    const name = nameInRequests(uri, folder);
    const part = range ? linesOf(document, range, name) : wholeOf(document, name);
    return binary.test(part.text) ? undefined : part;
  } catch {
    // The reason is only in the error's message; it is enough to know that the file is unreadable.
    return undefined;
  }
}

/** The whole lines of a range. */
function linesOf(document: TextDocument, range: Range, path: string): ContextPart {
  const { line: start } = range.start;
  const end = range.end.character === 0 && range.end.line > start ? range.end.line - 1 : range.end.line;
  // What is above a line may say that it is a secret.
  const text = splitLines(maskText(document.getText()))
    .slice(start, end + 1)
    .join("\n");
  return { name: `${path}:${start + 1}-${end + 1}`, language: document.languageId, text, uri: document.uri, start };
}

function wholeOf(document: TextDocument, name: string): ContextPart {
  return { name, language: document.languageId, text: maskText(document.getText()), uri: document.uri };
}
