import {
  type CancellationToken,
  FileType,
  type Range,
  RelativePattern,
  type TextDocument,
  type Uri,
  workspace,
} from "vscode";
import type { Closed, FileGate } from "../../reading/fileGate.ts";
import { nameInRequests } from "../../reading/promptPaths.ts";
import type { ReadAllowance } from "../../reading/readAllowance.ts";
import { skippedFolders } from "../../reading/skippedFolders.ts";
import { oneLine, splitLines } from "../../text/lines.ts";
import { maskText } from "../../text/maskSecrets.ts";
import { openDocument } from "../../ui/openDocument.ts";
import type { ContextPart } from "./fitContext.ts";

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

/** Maximum number of files, and maximum size of each in bytes. */
const limits = { files: 200, size: 100_000 };

/** The content of a folder, and the names of files that were left out. */
interface FolderContents {
  readonly parts: readonly ContextPart[];
  readonly unreadable: readonly string[];
  /** Names of files that the prompt has no room for. */
  readonly tooMuch: readonly string[];
  readonly closed: readonly (readonly [name: string, reason: Closed])[];
}

/** How to read a folder: through which gate, and how much of it. */
interface FolderReading {
  readonly gate: FileGate;
  readonly allowance: ReadAllowance;
  /** Whether the user attached the folder, so that it may be outside the workspace. */
  readonly isAttached: boolean;
  readonly token: CancellationToken;
}

/** Reads a folder: the list of its files that may be sent, then these files. */
export async function readFolder(
  uri: Uri,
  { gate, allowance, isAttached, token }: FolderReading,
): Promise<FolderContents> {
  const pattern = new RelativePattern(uri, "**/*");
  const found = (await workspace.findFiles(pattern, skippedFolders, limits.files, token)).toSorted((one, other) =>
    one.path.localeCompare(other.path),
  );
  const closed = await gate.closed(found, isAttached ? { folder: uri } : {});
  const open = found.filter((file) => !closed.has(file)).map((file) => ({ file, name: nameInRequests(file, uri) }));
  const parts: ContextPart[] = [];
  const unreadable: string[] = [];
  const tooMuch: string[] = [];
  for (const { file, name } of open) {
    const size = await sizeOf(file);
    if (size !== undefined && !allowance.take(size)) tooMuch.push(name);
    else {
      const part = await readFile(file, limits.size, { folder: uri });
      if (part) parts.push(part);
      else unreadable.push(name);
    }
  }
  const list = open.map(({ name }) => oneLine(name)).join("\n");
  return {
    parts: [{ name: `${nameInRequests(uri)}/`, language: "", text: list }, ...parts],
    unreadable,
    tooMuch,
    closed: [...closed].map(([file, reason]) => [nameInRequests(file, uri), reason]),
  };
}
