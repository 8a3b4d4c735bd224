import { FileType, Range, type TextDocument, type Uri, workspace } from "vscode";
import { openDocument } from "../../ui/openDocument.ts";
import type { ContextPart } from "./fitContext.ts";

/** Maximum size of a file to read, in bytes. */
export const fileLimit = 2_000_000;

/** Control characters that mark a file as binary. */
const binary = /[\0-\x08]/;

/**
 * The text of a file, or of the whole lines of a range, including unsaved changes. `undefined` for files that are
 * binary, larger than `limit` bytes or missing.
 */
export async function readFile(uri: Uri, limit: number, range?: Range): Promise<ContextPart | undefined> {
  try {
    if (!openDocument(uri) && (await sizeOf(uri)) > limit) return undefined;
    const document = await workspace.openTextDocument(uri);
    const part = range ? linesOf(document, range) : wholeOf(document);
    return binary.test(part.text) ? undefined : part;
  } catch {
    // The reason is only in the error's message; it is enough to know that the file is unreadable.
    return undefined;
  }
}

/** The whole lines of a range. */
function linesOf(document: TextDocument, range: Range): ContextPart {
  const end = range.end.character === 0 && range.end.line > range.start.line ? range.end.line - 1 : range.end.line;
  const lines = new Range(range.start.line, 0, end, Number.MAX_SAFE_INTEGER);
  const name = `${workspace.asRelativePath(document.uri)}:${range.start.line + 1}-${end + 1}`;
  const text = document.getText(document.validateRange(lines));
  return { name, language: document.languageId, text, uri: document.uri };
}

function wholeOf(document: TextDocument): ContextPart {
  const { uri, languageId } = document;
  return { name: workspace.asRelativePath(uri), language: languageId, text: document.getText(), uri };
}

async function sizeOf(uri: Uri): Promise<number> {
  const { type, size } = await workspace.fs.stat(uri);
  return (type & FileType.File) === 0 ? Infinity : size;
}
