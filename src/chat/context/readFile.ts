import { FileType, type Range, type Uri, workspace } from "vscode";
import { nameInRequests } from "../../reading/promptPaths.ts";
import type { LineRange } from "../../text/lineRange.ts";
import { splitLines } from "../../text/lines.ts";
import type { WindowSecrets } from "../../text/secrets/windowSecrets.ts";
import { openDocument } from "../../ui/openDocument.ts";
import type { ContextPart } from "./planQuestion.ts";

/** Maximum size of a file to read, in bytes. */
export const fileLimit = 2_000_000;

/** Control characters that mark a file as binary. */
const binary = /[\0-\x08]/;

/** The size of a file in bytes, of an open one its length; infinite for a device, and `undefined` for a folder or nothing. */
export async function sizeOf(uri: Uri): Promise<number | undefined> {
  const open = openDocument(uri);
  if (open) return open.getText().length;
  try {
    const { type, size } = await workspace.fs.stat(uri);
    if ((type & FileType.Directory) !== 0) return undefined;
    return (type & FileType.File) === 0 ? Infinity : size;
  } catch {
    return undefined;
  }
}

/**
 * The text of a file, whose secrets are learned, or of the whole lines of a range, including unsaved changes. `undefined` for
 * files that are binary, larger than `limit` bytes or missing. `folder` is the one that it is read with.
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
    // The whole file: what is above a line may say that it is a secret.
    await secrets.learn(text, name);
    const part = { name, language: document.languageId, text, uri: document.uri };
    const read = range ? linesOf(part, range) : part;
    return binary.test(read.text) ? undefined : read;
  } catch {
    // The reason is only in the error's message; it is enough to know that the file is unreadable.
    return undefined;
  }
}

/** The whole lines of a range. */
function linesOf(part: ContextPart, range: Range): ContextPart {
  const { start, end } = wholeLines(range);
  const text = splitLines(part.text).slice(start, end).join("\n");
  return { ...part, name: `${part.name}:${start + 1}-${end}`, text, start };
}

/** The lines of a range, without one that it only reaches the start of. */
export function wholeLines({ start, end }: Range): LineRange {
  return { start: start.line, end: end.character === 0 && end.line > start.line ? end.line : end.line + 1 };
}
