import { statSync } from "node:fs";
import { stat } from "node:fs/promises";
import { FileType, l10n, type Range, type Uri, workspace } from "vscode";
import { nameInRequests } from "../../reading/promptPaths.ts";
import { touchedLines } from "../../text/lineRange.ts";
import { splitLines } from "../../text/lines.ts";
import type { WindowSecrets } from "../../text/secrets/windowSecrets.ts";
import { cellOf, openDocument } from "../../ui/openDocument.ts";
import type { ContextPart } from "./planQuestion.ts";

/** Maximum size of a file to read, in bytes. */
export const fileLimit = 2_000_000;

/** Control characters that mark a file as binary. */
const binary = /[\0-\x08]/;

/** The size of a file in bytes, or its length if it is open. Infinite for a device, `undefined` for a folder or no file. */
export async function sizeOf(uri: Uri): Promise<number | undefined> {
  const open = openDocument(uri);
  if (open) return open.getText().length;
  const size = await sizeOnDisk(uri);
  return size === "folder" ? undefined : size;
}

/**
 * As `sizeOf`, whether a file is open or not, and for folders. Those of this machine are looked up without VS Code, which asks
 * the window about each file system first (`$ensureActivation`, VS Code 1.139), and the window is busy when it shows a question.
 */
export async function sizeOnDisk(uri: Uri, isSync = false): Promise<number | "folder" | undefined> {
  try {
    if (uri.scheme === "file") {
      const found = await (isSync ? statSync : stat)(uri.fsPath);
      if (found.isDirectory()) return "folder";
      return found.isFile() ? found.size : Infinity;
    }
    const { type, size } = await workspace.fs.stat(uri);
    if ((type & FileType.Directory) !== 0) return "folder";
    return (type & FileType.File) === 0 ? Infinity : size;
  } catch {
    // An unsaved document, for example, is not in the file system.
    return undefined;
  }
}

/**
 * The text of a file, or of the lines of a range, with unsaved changes. Learns the file's secrets. `undefined` for files that
 * are binary, missing, or, unless they are open, larger than `limit` bytes. `folder` is the attached folder that the file is in.
 */
export async function readFile(
  uri: Uri,
  secrets: Pick<WindowSecrets, "learn">,
  limit: number,
  { range, folder }: { readonly range?: Range | undefined; readonly folder?: Uri } = {},
): Promise<ContextPart | undefined> {
  try {
    if (!openDocument(uri) && ((await sizeOf(uri)) ?? Infinity) > limit) return undefined;
    const document = await workspace.openTextDocument(uri);
    const text = document.getText();
    const name = nameInRequests(uri, folder);
    // Secrets are found in the whole file, because lines outside the range may show that a value in it is one.
    await secrets.learn(text, name);
    const part = { name, language: document.languageId, text, uri: document.uri };
    const read = range ? linesOf(part, range) : part;
    return binary.test(read.text) ? undefined : read;
  } catch {
    // VS Code says only in the message why a file cannot be read.
    return undefined;
  }
}

/** Maximum length of the cells above a cell, in characters. */
const cellsLimit = 20_000;

/** The cells of a notebook above one of its cells, the nearest that fit, with their secrets learned. */
export async function readCellsAbove(
  cell: Uri,
  secrets: Pick<WindowSecrets, "learn">,
): Promise<ContextPart | undefined> {
  const { notebook, index } = cellOf(cell) ?? {};
  const above =
    notebook
      ?.getCells()
      .slice(0, index)
      .map(({ document }) => document.getText()) ?? [];
  if (above.reduce((sum, { length }) => sum + length, 0) > fileLimit) return undefined;
  await secrets.learn(above.join("\n"));
  let room = cellsLimit;
  const first = above.findLastIndex(({ length }) => (room -= length) < 0) + 1;
  const text = above.slice(first).join("\n\n");
  return text === "" ? undefined : { name: l10n.t("Cells above in {0}", nameInRequests(cell)), language: "", text };
}

function linesOf(part: ContextPart, range: Range): ContextPart {
  const { start, end } = touchedLines(range);
  const text = splitLines(part.text).slice(start, end).join("\n");
  return { ...part, name: `${part.name}:${start + 1}-${end}`, text, start };
}
