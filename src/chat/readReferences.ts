import {
  type CancellationToken,
  type ChatPromptReference,
  FileType,
  l10n,
  Location,
  type Range,
  Uri,
  workspace,
} from "vscode";
import { UserError } from "../ui/userError.ts";
import type { ContextPart } from "./fitContext.ts";
import { readFolder } from "./readFolder.ts";
import { fileLimit, readFile } from "./readFile.ts";

/** What was attached to a question, read. */
export interface ReadReferences {
  readonly parts: readonly ContextPart[];
  /** Names of what cannot be read, or is no text. */
  readonly unreadable: readonly string[];
}

/**
 * Reads what was attached, the most particular first: texts, selections and symbols, then files, then folders. Throws a
 * `UserError` for an image, which no model of the gateway takes.
 */
export async function readReferences(
  references: readonly Pick<ChatPromptReference, "id" | "value">[],
  token: CancellationToken,
): Promise<ReadReferences> {
  const parts: ContextPart[] = [];
  const unreadable: string[] = [];
  const folders: Uri[] = [];
  const files: Uri[] = [];
  for (const { id, value } of references) {
    if (isImage(value)) throw new UserError("imageInput");
    if (typeof value === "string") parts.push({ name: l10n.t("Attached text"), language: "", text: value });
    else if (value instanceof Location) await readInto(value.uri, value.range);
    else if (value instanceof Uri) ((await isFolder(value)) ? folders : files).push(value);
    else unreadable.push(id);
  }
  for (const uri of files) await readInto(uri);
  for (const uri of folders) {
    const folder = await readFolder(uri, token);
    parts.push(...folder.parts);
    unreadable.push(...folder.unreadable);
  }
  return { parts, unreadable };

  async function readInto(uri: Uri, range?: Range): Promise<void> {
    const part = await readFile(uri, fileLimit, range);
    if (part) parts.push(part);
    else unreadable.push(workspace.asRelativePath(uri));
  }
}

async function isFolder(uri: Uri): Promise<boolean> {
  try {
    return ((await workspace.fs.stat(uri)).type & FileType.Directory) !== 0;
  } catch {
    // What has no such entry, an unsaved document for example, is read as a file.
    return false;
  }
}

/** Pasted and attached images come as an object that the published types do not have. */
function isImage(value: unknown): boolean {
  if (typeof value !== "object" || value === null || !("mimeType" in value)) return false;
  return typeof value.mimeType === "string" && value.mimeType.startsWith("image/");
}
