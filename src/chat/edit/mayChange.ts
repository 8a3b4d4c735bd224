import { lstat, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { Uri, workspace } from "vscode";
import { modeOf } from "../../apply/diskFiles.ts";
import { type DiskChange, writesOf } from "../../apply/diskChange.ts";
import type { FileChange } from "../../edits/resolveEdits.ts";
import type { FileGate } from "../../reading/fileGate.ts";
import { uriOf } from "../../reading/promptPaths.ts";
import { hasCode } from "../../files/fileErrors.ts";
import { hasUnusableName } from "../../files/fileNames.ts";
import { GitFolders, isInGitFolder } from "../../files/gitFolders.ts";
import { targetOf } from "../../files/realPath.ts";
import { hasUnsavedEditor, openDocument } from "../../ui/openDocument.ts";
import type { RefusalKind } from "../../apply/refusalTexts.ts";
import type { Refusal } from "./resolveAnswer.ts";

/** The URIs of files that must not be changed, and why: files that may not be read, and conflicts with existing files or folders. */
export async function refusedFiles(
  changes: readonly DiskChange[],
  gate: FileGate,
): Promise<ReadonlyMap<string, RefusalKind>> {
  const refused = new Map<string, RefusalKind>();
  const located = await Promise.all(
    writesOf(changes).map(async ({ uri: name, after }) => {
      const uri = Uri.parse(name, true);
      return { name, after, uri, target: uri.scheme === "file" ? await targetOf(uri.fsPath) : undefined };
    }),
  );
  const denied = await gate.denied(located.map(({ uri }) => uri));
  // Files that are created together may form a Git repository.
  const git = new GitFolders(located.flatMap(({ after, target }) => (after ? (target ?? []) : [])));
  for (const { name, after, uri, target } of located) {
    let kind = flawOfPath(uri) ?? denied.get(uri);
    if (target !== undefined) {
      kind ??= (await git.roleOf(target)) === "data" ? "gitFolder" : undefined;
      kind ??= !after && (await isLink(uri.fsPath)) ? "link" : await obstacleAt(uri.fsPath);
    }
    if (kind !== undefined) refused.set(name, kind);
  }
  for (const [{ name }, kind] of clashes(located)) if (!refused.has(name)) refused.set(name, kind);
  return refused;
}

/**
 * Why what an edit wrote to a file cannot be reverted: a link may lead elsewhere now, or the folder may be another. It does
 * not matter whether the file is ignored or may hold secrets, because the edit itself may have caused that.
 */
export async function whyNotUndone(uri: Uri, gate: FileGate): Promise<RefusalKind | undefined> {
  const reason = (await gate.denied([uri])).get(uri);
  return flawOfPath(uri) ?? (reason === "outside" || reason === "gitFolder" ? reason : undefined);
}

function flawOfPath(uri: Uri): RefusalKind | undefined {
  const folder = workspace.getWorkspaceFolder(uri);
  if (!folder || uri.path.split("/").includes("..")) return "outside";
  const path = uri.path.slice(folder.uri.path.length);
  if (isInGitFolder(path)) return "gitFolder";
  if (hasUnusableName(path)) return "badName";
  return hasUnsavedEditor(uri) ? "unsaved" : undefined;
}

/** The folder or file that keeps a file from being written. */
async function obstacleAt(path: string): Promise<RefusalKind | undefined> {
  try {
    return (await stat(path)).isDirectory() ? "folder" : undefined;
  } catch (error) {
    return hasCode(error, "ENOTDIR") ? "belowFile" : undefined;
  }
}

/**
 * The files that would overwrite an earlier one of the same edit, because their paths refer to the same file, through a link or
 * because the case of names does not matter; and files below another file of the edit. `target` is the path once all links are resolved, on this machine.
 */
function clashes<File extends { readonly target: string | undefined }>(
  files: readonly File[],
): ReadonlyMap<File, RefusalKind> {
  const found = new Map<File, RefusalKind>();
  const byTarget = new Map<string, File>();
  for (const file of files) {
    if (file.target === undefined) continue;
    const name = foldCase(file.target);
    if (byTarget.has(name)) found.set(file, "overlap");
    byTarget.set(name, file);
  }
  for (const [target, file] of byTarget) {
    for (let folder = dirname(target); folder !== dirname(folder); folder = dirname(folder)) {
      if (byTarget.has(folder)) found.set(file, "belowFile");
    }
  }
  return found;
}

/** Makes paths equal that refer to the same file by default on this system. */
function foldCase(path: string): string {
  return process.platform === "linux" ? path : path.normalize("NFC").toLowerCase();
}

async function isLink(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isSymbolicLink();
  } catch {
    return false;
  }
}

/** What an edit writes; nothing if there are files that it must not change. */
export interface ProposedChange {
  readonly changes: readonly DiskChange[];
  readonly refusals: readonly Refusal[];
}

/** Turns changes of texts into changes of files, unless one of them must not be changed. `texts` are by path. */
export async function proposeChange(
  changes: readonly FileChange[],
  texts: ReadonlyMap<string, string>,
  gate: FileGate,
): Promise<ProposedChange> {
  const refusals: Refusal[] = [];
  const files: DiskChange[] = [];
  const paths = new Map<string, string>();
  for (const { path, kind, newPath = path, text } of changes) {
    const [uri, newUri] = [uriOf(path), uriOf(newPath)];
    if (!uri || !newUri) {
      refusals.push({ kind: "outside", path: uri ? newPath : path });
      continue;
    }
    const [id, newId] = [uri.toString(), newUri.toString()];
    const [before, after] = [texts.get(path), kind === "delete" ? undefined : text].map((side) =>
      side === undefined ? undefined : new TextEncoder().encode(side),
    );
    if (after && !canHold(newUri, before, after)) refusals.push({ kind: "notText", path });
    files.push({ uri: id, newUri: newId === id ? undefined : newId, before, after, mode: await modeOf(id) });
    paths.set(id, path).set(newId, newPath);
  }
  for (const [uri, kind] of await refusedFiles(files, gate)) refusals.push({ kind, path: paths.get(uri) ?? "" });
  return { changes: refusals.length > 0 ? [] : files, refusals };
}

/** Whether a file can have a text as UTF-8. One that is new or has only ASCII so far is read in the encoding the user has set. */
function canHold(uri: Uri, before: Uint8Array | undefined, after: Uint8Array): boolean {
  const isAscii = (bytes: Uint8Array): boolean => bytes.every((byte) => byte < 0x80);
  if (isAscii(after) || (before && !isAscii(before))) return true;
  const encoding = openDocument(uri)?.encoding ?? workspace.getConfiguration("files", uri).get<string>("encoding");
  return encoding === undefined || encoding === "utf8" || encoding === "utf8bom";
}
