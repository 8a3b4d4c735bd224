import {
  type CancellationToken,
  type ChatPromptReference,
  FileType,
  l10n,
  Location,
  TabInputText,
  Uri,
  window,
  workspace,
} from "vscode";
import { UserError } from "../../failures/userError.ts";
import { type Closed, type FileGate, mayHoldSecrets } from "../../reading/fileGate.ts";
import { nameInRequests, withoutRoots } from "../../reading/promptPaths.ts";
import { ReadAllowance } from "../../reading/readAllowance.ts";
import { isImageReference } from "../models/unpublishedApi.ts";
import { maskText } from "../../text/maskSecrets.ts";
import type { ContextPart } from "./fitContext.ts";
import { fileLimit, readFile, sizeOf } from "./readFile.ts";
import { readFolder } from "./readFolder.ts";

/**
 * Where a reference comes from: the user attached it, or selected it and VS Code attached it; VS Code attached it by
 * itself; instructions for models, which may be in the user's profile; or an earlier turn or the extension refers to it.
 */
export type Origin = "attached" | "selected" | "implicit" | "instructions" | "earlier";

/** Names of what is not sent, or is sent although it may hold secrets. */
export interface LeftOut {
  /** Attachments that cannot be read or are not text. */
  readonly unreadable: readonly string[];
  /** Files that may hold secrets. */
  readonly secret: readonly string[];
  /** Files that may hold secrets and are sent because the user attached them. */
  readonly sentSecret: readonly string[];
  /** Files outside the workspace that nobody attached. */
  readonly outside: readonly string[];
  /** Files that Git or `files.exclude` ignores, and nobody attached. */
  readonly ignored: readonly string[];
  /** Files that are too many, or too large, for one prompt. */
  readonly tooMuch: readonly string[];
}

/** The content of what is attached to a question. */
export interface ReadReferences extends LeftOut {
  readonly parts: readonly ContextPart[];
  /** The files and places that were read. */
  readonly read: readonly (Uri | Location)[];
}

/** A reference to read, and where it came from. */
export interface Reference extends Pick<ChatPromptReference, "id" | "value"> {
  readonly origin?: Origin;
}

/**
 * Reads attachments in order of relevance: texts, selections and symbols, then files, then folders. What the user did not
 * attach or select has to pass the gate. Throws a `UserError` of kind `imageInput` for an image, because no model of the
 * gateway accepts images.
 */
export async function readReferences(
  references: readonly Reference[],
  gate: FileGate,
  token: CancellationToken,
): Promise<ReadReferences> {
  const parts: ContextPart[] = [];
  const read: (Uri | Location)[] = [];
  const names: Record<keyof LeftOut, string[]> = {
    unreadable: [],
    secret: [],
    sentSecret: [],
    outside: [],
    ignored: [],
    tooMuch: [],
  };
  const allowance = new ReadAllowance();
  const folders: { readonly uri: Uri; readonly isAttached: boolean }[] = [];
  const files: { readonly uri: Uri; readonly origin: Origin }[] = [];
  for (const { id, value, origin = "attached" } of references) {
    if (isImageReference(value)) throw new UserError("imageInput");
    if (typeof value === "string") {
      parts.push({ name: l10n.t("Attached text"), language: "", text: maskText(withoutRoots(value)) });
    } else if (!(value instanceof Uri || value instanceof Location)) {
      names.unreadable.push(id);
    } else if (await passes(value instanceof Uri ? value : value.uri, origin)) {
      if (value instanceof Location) await readInto(value.uri, value, origin);
      else if (await isFolder(value)) folders.push({ uri: value, isAttached: origin === "attached" });
      else files.push({ uri: value, origin });
    }
  }
  for (const { uri, origin } of files) await readInto(uri, uri, origin);
  for (const { uri, isAttached } of folders) {
    const folder = await readFolder(uri, { gate, allowance, isAttached, token });
    parts.push(...folder.parts);
    read.push(uri);
    names.unreadable.push(...folder.unreadable);
    names.tooMuch.push(...folder.tooMuch);
    for (const [name, reason] of folder.closed) names[noteOf(reason)].push(name);
  }
  return { parts, read, ...names };

  async function readInto(uri: Uri, source: Uri | Location, origin: Origin): Promise<void> {
    const size = origin === "attached" || origin === "selected" ? 0 : ((await sizeOf(uri)) ?? 0);
    if (size > 0 && !allowance.take(size)) {
      names.tooMuch.push(nameInRequests(uri));
      return;
    }
    const part = await readFile(uri, fileLimit, source instanceof Location ? { range: source.range } : {});
    if (!part) {
      names.unreadable.push(nameInRequests(uri));
      return;
    }
    parts.push(part);
    read.push(source);
  }

  async function passes(uri: Uri, origin: Origin): Promise<boolean> {
    const name = workspace.asRelativePath(uri);
    if (origin === "attached" || origin === "selected") {
      const isSecret = await mayHoldSecrets(uri);
      if (isSecret) names[origin === "attached" ? "sentSecret" : "secret"].push(name);
      return !isSecret || origin === "attached";
    }
    const reason = (await gate.closed([uri], { allowsOutside: origin === "instructions" || isOpen(uri) })).get(uri);
    if (reason !== undefined) names[noteOf(reason)].push(name);
    return reason === undefined;
  }
}

/** The note about a file that stays closed. */
function noteOf(reason: Closed): "outside" | "secret" | "ignored" {
  return reason === "gitFolder" ? "ignored" : reason;
}

/** Whether the user has opened a file in an editor. */
function isOpen(uri: Uri): boolean {
  const tabs = window.tabGroups.all.flatMap((group) => group.tabs);
  return tabs.some(({ input }) => input instanceof TabInputText && input.uri.toString() === uri.toString());
}

async function isFolder(uri: Uri): Promise<boolean> {
  try {
    return ((await workspace.fs.stat(uri)).type & FileType.Directory) !== 0;
  } catch {
    // An unsaved document, for example, is not in the file system. It is read as a file through its editor.
    return false;
  }
}
