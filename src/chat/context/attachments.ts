import { type CancellationToken, type ChatPromptReference, FileType, l10n, Location, Uri, workspace } from "vscode";
import { UserError } from "../../failures/userError.ts";
import { isImageReference } from "../models/unpublishedApi.ts";
import type { ContextPart } from "./fitContext.ts";
import { judgeFile, type Origin } from "./judgeFile.ts";
import { fileLimit, readFile } from "./readFile.ts";
import { readFolder } from "./readFolder.ts";

/** The content of what is attached to a question. */
export interface ReadReferences {
  readonly parts: readonly ContextPart[];
  /** The files and places that were read. */
  readonly read: readonly (Uri | Location)[];
  /** Names of attachments that cannot be read or are not text. */
  readonly unreadable: readonly string[];
  /** Names of files that may hold secrets and are left out. */
  readonly secret: readonly string[];
  /** Names of files that may hold secrets and are sent because the user attached them. */
  readonly sentSecret: readonly string[];
  /** Names of files outside the workspace that only earlier turns or links refer to; they are left out. */
  readonly outside: readonly string[];
}

/** A reference to read, and where it came from. */
export interface Reference extends Pick<ChatPromptReference, "id" | "value"> {
  readonly origin?: Origin;
}

/**
 * Reads attachments in order of relevance: texts, selections and symbols, then files, then folders. Throws a
 * `UserError` of kind `imageInput` for an image, because no model of the gateway accepts images.
 */
export async function readReferences(
  references: readonly Reference[],
  token: CancellationToken,
): Promise<ReadReferences> {
  const parts: ContextPart[] = [];
  const read: (Uri | Location)[] = [];
  const names = {
    unreadable: [] as string[],
    secret: [] as string[],
    sentSecret: [] as string[],
    outside: [] as string[],
  };
  const folders: Uri[] = [];
  const files: Uri[] = [];
  for (const { id, value, origin = "attached" } of references) {
    if (isImageReference(value)) throw new UserError("imageInput");
    if (typeof value === "string") {
      parts.push({ name: l10n.t("Attached text"), language: "", text: value });
    } else if (!(value instanceof Uri || value instanceof Location)) {
      names.unreadable.push(id);
    } else if (await mayGoAlong(value instanceof Uri ? value : value.uri, origin)) {
      if (value instanceof Location) await readInto(value.uri, value);
      else ((await isFolder(value)) ? folders : files).push(value);
    }
  }
  for (const uri of files) await readInto(uri, uri);
  for (const uri of folders) {
    const folder = await readFolder(uri, token);
    parts.push(...folder.parts);
    read.push(uri);
    names.unreadable.push(...folder.unreadable);
    names.secret.push(...folder.secret);
    names.outside.push(...folder.outside);
  }
  return { parts, read, ...names };

  async function readInto(uri: Uri, source: Uri | Location): Promise<void> {
    const part = await readFile(uri, fileLimit, source instanceof Location ? source.range : undefined);
    if (!part) {
      names.unreadable.push(workspace.asRelativePath(uri));
      return;
    }
    parts.push(part);
    read.push(source);
  }

  async function mayGoAlong(uri: Uri, origin: Origin): Promise<boolean> {
    const verdict = await judgeFile(uri, origin);
    if (verdict !== "sent") names[verdict].push(workspace.asRelativePath(uri));
    return verdict === "sent" || verdict === "sentSecret";
  }
}

async function isFolder(uri: Uri): Promise<boolean> {
  try {
    return ((await workspace.fs.stat(uri)).type & FileType.Directory) !== 0;
  } catch {
    // An unsaved document, for example, is not in the file system. It is read as a file through its editor.
    return false;
  }
}
