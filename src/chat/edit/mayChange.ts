import { lstat } from "node:fs/promises";
import { type Uri, workspace } from "vscode";
import { isExcluded } from "../../settings/excludedFiles.ts";
import { isReallyInside, realPathOf } from "../../text/realPath.ts";
import { isSecretFile } from "../../text/secretFiles.ts";
import type { IgnoredFiles } from "../context/find/findContext.ts";
import type { RefusalKind } from "./resolveAnswer.ts";

/** A place that an edit writes to or deletes from. */
export interface Place {
  readonly uri: Uri;
  /** Whether the file there goes away. */
  readonly isRemoved: boolean;
}

/** For each place that must not be changed, why. */
export async function refusedPlaces(
  places: readonly Place[],
  ignoredFiles: IgnoredFiles,
): Promise<ReadonlyMap<Uri, RefusalKind>> {
  const refused = new Map<Uri, RefusalKind>();
  for (const place of places) {
    const kind = (await flawOf(place)) ?? (isExcluded(place.uri, "files") ? "ignored" : undefined);
    if (kind !== undefined) refused.set(place.uri, kind);
  }
  // Git fails on paths behind a link, so it is only asked about the others.
  for (const uri of await ignoredFiles(places.flatMap(({ uri }) => (refused.has(uri) ? [] : [uri])))) {
    refused.set(uri, "ignored");
  }
  return refused;
}

async function flawOf({ uri, isRemoved }: Place): Promise<RefusalKind | undefined> {
  const folder = workspace.getWorkspaceFolder(uri);
  if (!folder || uri.path.split("/").some((segment) => segment === ".." || segment === ".git")) {
    return "outsideWorkspace";
  }
  if (uri.scheme !== "file") return isSecretFile(uri.path) ? "secret" : undefined;
  const roots = (workspace.workspaceFolders ?? []).map((one) => one.uri.fsPath);
  if (!(await isReallyInside(uri.fsPath, roots))) return "outsideWorkspace";
  if (isSecretFile(uri.path) || isSecretFile((await realPathOf(uri.fsPath)) ?? "")) return "secret";
  return isRemoved && (await isLink(uri.fsPath)) ? "link" : undefined;
}

async function isLink(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isSymbolicLink();
  } catch {
    return false;
  }
}
