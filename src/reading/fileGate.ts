import { l10n, Uri, workspace } from "vscode";
import { GitFolders, isInGitFolder } from "../files/gitFolders.ts";
import { isReallyInside, pathsInRoots, targetOf } from "../files/realPath.ts";
import { cellOf, cellScheme } from "../ui/openDocument.ts";
import { isExcluded } from "./excludeSettings.ts";
import { isSecretFile, isSecretPath } from "./secretFiles.ts";

/** Returns the files that Git ignores, or cannot check. Provided by the Git features. */
export type IgnoredFiles = (files: readonly Uri[]) => Promise<ReadonlyMap<Uri, "ignored" | "unchecked">>;

/** Why a file is denied, as a sentence. `unchecked`: Git cannot check whether it ignores the file. */
export const denialTexts = {
  outside: () => l10n.t("The file is outside the workspace."),
  gitFolder: () => l10n.t("The file belongs to Git itself."),
  secret: () => l10n.t("The file may contain secrets."),
  ignored: () => l10n.t("The file is ignored."),
  unchecked: () => l10n.t("Git cannot check whether the file is ignored."),
} satisfies Record<string, () => string>;

export type DenialReason = keyof typeof denialTexts;

/** Files that are allowed outside the workspace. */
export interface AccessOptions {
  /** A folder that the user chose. */
  readonly folder?: Uri | undefined;
  /** Whether files outside that the user opened are allowed, unless a path in the workspace leads to them. */
  readonly allowsOutside?: boolean;
}

/**
 * Decides which files may go into a prompt or be changed without the user having attached them or selected their lines, by
 * their paths before and after links are resolved.
 */
export class FileGate {
  /** The files that Git ignores or cannot check: a part of `denied` that is much faster for many files. */
  readonly ignored: IgnoredFiles;

  constructor(ignored: IgnoredFiles) {
    this.ignored = ignored;
  }

  /** The denied files, and why. */
  async denied(files: readonly Uri[], options: AccessOptions = {}): Promise<ReadonlyMap<Uri, DenialReason>> {
    const denied = new Map<Uri, DenialReason>();
    const roots = [...(options.folder ? [options.folder] : []), ...rootUris()];
    const git = new GitFolders();
    const decide = async (uri: Uri): Promise<readonly [Uri, DenialReason | undefined]> => {
      return [uri, await reasonOf(withoutCell(uri), roots, git, options.allowsOutside)];
    };
    for (const [uri, reason] of await Promise.all(files.map(decide))) if (reason !== undefined) denied.set(uri, reason);
    // Files in an ignored folder of the workspace are checked one by one.
    const names = new Set(roots.map(String));
    const open = files.filter((uri) => !denied.has(uri) && !names.has(uri.toString()));
    const ofOpen = new Map(open.map((uri) => [uri, withoutCell(uri)]));
    const ignored = await this.ignored([...ofOpen.values()]);
    for (const [uri, file] of ofOpen) {
      const reason = ignored.get(file);
      if (reason !== undefined) denied.set(uri, reason);
    }
    return denied;
  }
}

/** Whether a file typically holds secrets, by its own name or by the one that it links to. */
export async function mayHoldSecrets(document: Uri): Promise<boolean> {
  const uri = withoutCell(document);
  const roots = rootUris();
  if (isLocal(uri)) return await isSecretPath(uri.fsPath, pathsOf(roots));
  const root = roots.find((folder) => isBelow(uri, folder));
  return isSecretFile(uri.path, root?.path);
}

async function reasonOf(
  uri: Uri,
  roots: readonly Uri[],
  git: GitFolders,
  allowsOutside = false,
): Promise<DenialReason | undefined> {
  const isInside = await isWithin(uri, roots);
  const isNamedOutside = workspace.getWorkspaceFolder(uri) === undefined;
  if (!isInside && !(allowsOutside && isNamedOutside)) return "outside";
  const target = isLocal(uri) ? await targetOf(uri.fsPath) : undefined;
  const paths = [
    ...roots.filter((root) => isBelow(uri, root)).map((root) => uri.path.slice(root.path.length)),
    ...(target === undefined ? [] : await pathsInRoots(target, pathsOf(roots))),
  ];
  const isGits = target !== undefined && (await git.roleOf(target)) === "data";
  if (isGits || paths.some(isInGitFolder)) return "gitFolder";
  if (await mayHoldSecrets(uri)) return "secret";
  const isHidden = isExcluded(uri, "files") || (target !== undefined && isExcluded(Uri.file(target), "files"));
  return isHidden ? "ignored" : undefined;
}

/** Whether a file is in one of the roots, or not saved yet. */
async function isWithin(uri: Uri, roots: readonly Uri[]): Promise<boolean> {
  if (uri.scheme === "untitled") return true;
  if (isLocal(uri)) return await isReallyInside(uri.fsPath, pathsOf(roots));
  return !uri.path.split("/").includes("..") && roots.some((root) => isBelow(uri, root));
}

function rootUris(): readonly Uri[] {
  return (workspace.workspaceFolders ?? []).map(({ uri }) => uri);
}

function pathsOf(roots: readonly Uri[]): readonly string[] {
  return roots.filter(isLocal).map(({ fsPath }) => fsPath);
}

function isBelow(uri: Uri, root: Uri): boolean {
  const folder = root.path.replace(/\/$/, "");
  const isNear = uri.scheme === root.scheme && uri.authority === root.authority;
  return isNear && (uri.path === folder || uri.path.startsWith(`${folder}/`));
}

function isLocal({ scheme }: Uri): boolean {
  return scheme === "file";
}

/** The notebook of a cell, or else the same file. */
function withoutCell(uri: Uri): Uri {
  if (uri.scheme !== cellScheme) return uri;
  return cellOf(uri)?.notebook.uri ?? uri.with({ scheme: "file", fragment: "" });
}
