import { FileType, Range, type TextDocument, type Uri, workspace } from "vscode";
import type { ContextPart } from "./fitContext.ts";

/** Larger files, in bytes, are no reading for a model. */
export const fileLimit = 2_000_000;

/** Characters that no text has. */
const binary = /[\0-\x08]/;

/** A file, or the lines of a range, as its editor has it. `undefined` for what is no text, too large or not there. */
export async function readFile(uri: Uri, limit: number, range?: Range): Promise<ContextPart | undefined> {
  try {
    if (!isOpen(uri) && (await sizeOf(uri)) > limit) return undefined;
    const document = await workspace.openTextDocument(uri);
    const part = range ? linesOf(document, range) : wholeOf(document);
    return binary.test(part.text) ? undefined : part;
  } catch {
    // VS Code says why in words only; for the answer it counts that the file was not read.
    return undefined;
  }
}

/** The whole lines of a range: half a line is harder to read than a whole one. */
function linesOf(document: TextDocument, range: Range): ContextPart {
  const end = range.end.character === 0 && range.end.line > range.start.line ? range.end.line - 1 : range.end.line;
  const lines = new Range(range.start.line, 0, end, Number.MAX_SAFE_INTEGER);
  const name = `${workspace.asRelativePath(document.uri)}:${range.start.line + 1}-${end + 1}`;
  return { name, language: document.languageId, text: document.getText(document.validateRange(lines)) };
}

/** The whole document. */
function wholeOf(document: TextDocument): ContextPart {
  return { name: workspace.asRelativePath(document.uri), language: document.languageId, text: document.getText() };
}

function isOpen(uri: Uri): boolean {
  return workspace.textDocuments.some((document) => document.uri.toString() === uri.toString());
}

async function sizeOf(uri: Uri): Promise<number> {
  const { type, size } = await workspace.fs.stat(uri);
  return (type & FileType.File) === 0 ? Infinity : size;
}
