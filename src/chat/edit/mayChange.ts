import { lstat, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { type Uri, workspace } from "vscode";
import type { Closed, FileGate } from "../../reading/fileGate.ts";
import { hasUnusableName } from "../../text/fileNames.ts";
import { GitFolders, isInGitFolder } from "../../text/gitFolders.ts";
import { hasCode } from "../../text/fileErrors.ts";
import { targetOf } from "../../text/realPath.ts";
import { hasUnsavedEditor } from "../../ui/openDocument.ts";
import type { RefusalKind } from "./resolveAnswer.ts";

/** A place that an edit writes to or deletes from. */
export interface Place {
  readonly uri: Uri;
  /** Whether the file there goes away. */
  readonly isRemoved: boolean;
}

/** A place and, on this machine, the path that it has once all links are resolved. */
interface LocatedPlace extends Place {
  readonly target?: string;
}

/** Why a file that stays closed for reading is not changed either. */
export const closedKinds: Readonly<Record<Closed, RefusalKind>> = {
  outside: "outsideWorkspace",
  gitFolder: "gitFolder",
  secret: "secret",
  ignored: "ignored",
};

/** For each place that must not be changed, why: what stays closed for reading, and what is in the way. */
export async function refusedPlaces(places: readonly Place[], gate: FileGate): Promise<ReadonlyMap<Uri, RefusalKind>> {
  const refused = new Map<Uri, RefusalKind>();
  const closed = await gate.closed(places.map(({ uri }) => uri));
  const located = await Promise.all(places.map(locate));
  // What comes into being together may become a repository.
  const git = new GitFolders(located.flatMap(({ target, isRemoved }) => (isRemoved ? [] : (target ?? []))));
  for (const { uri, isRemoved, target } of located) {
    const reason = closed.get(uri);
    let kind = flawOfPath(uri) ?? (reason && closedKinds[reason]);
    if (target !== undefined) {
      kind ??= (await git.roleOf(target)) === "data" ? "gitFolder" : undefined;
      kind ??= isRemoved && (await isLink(uri.fsPath)) ? "link" : await obstacleAt(uri.fsPath);
    }
    if (kind !== undefined) refused.set(uri, kind);
  }
  for (const [uri, kind] of clashes(located)) if (!refused.has(uri)) refused.set(uri, kind);
  return refused;
}

/**
 * Why what an edit wrote to a file cannot be taken back: by now, a link may lead elsewhere, or the folder be another. That
 * the file is ignored or looks like a secret does not count, as the edit itself may have done that.
 */
export async function whyNotUndone(uri: Uri, gate: FileGate): Promise<RefusalKind | undefined> {
  const reason = (await gate.closed([uri])).get(uri);
  return flawOfPath(uri) ?? (reason === "outside" || reason === "gitFolder" ? closedKinds[reason] : undefined);
}

async function locate(place: Place): Promise<LocatedPlace> {
  return place.uri.scheme === "file" ? { ...place, target: await targetOf(place.uri.fsPath) } : place;
}

function flawOfPath(uri: Uri): RefusalKind | undefined {
  const folder = workspace.getWorkspaceFolder(uri);
  if (!folder || uri.path.split("/").includes("..")) return "outsideWorkspace";
  const path = uri.path.slice(folder.uri.path.length);
  if (isInGitFolder(path)) return "gitFolder";
  if (hasUnusableName(path)) return "badName";
  return hasUnsavedEditor(uri) ? "unsaved" : undefined;
}

/** What is in the way of a file. */
async function obstacleAt(path: string): Promise<RefusalKind | undefined> {
  try {
    return (await stat(path)).isDirectory() ? "folder" : undefined;
  } catch (error) {
    return hasCode(error, "ENOTDIR") ? "belowFile" : undefined;
  }
}

/**
 * Places that are one file, through a link or because the case of names does not matter, so that one would overwrite the
 * other; and places below a file of the same edit.
 */
function clashes(places: readonly LocatedPlace[]): ReadonlyMap<Uri, RefusalKind> {
  const found = new Map<Uri, RefusalKind>();
  const byTarget = new Map<string, Uri>();
  for (const { uri, target } of places) {
    if (target === undefined) continue;
    const name = foldCase(target);
    if (byTarget.has(name)) found.set(uri, "overlap");
    byTarget.set(name, uri);
  }
  for (const [target, uri] of byTarget) {
    for (let folder = dirname(target); folder !== dirname(folder); folder = dirname(folder)) {
      if (byTarget.has(folder)) found.set(uri, "belowFile");
    }
  }
  return found;
}

/** Makes names equal that are one file by default on this system. */
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
