import { Uri, workspace } from "vscode";
import { GitFolders, isInGitFolder } from "../text/gitFolders.ts";
import { isReallyInside, pathsInRoots, targetOf } from "../text/realPath.ts";
import { isExcluded } from "./excludedFiles.ts";
import { isSecretFile, isSecretPath } from "./secretFiles.ts";

/** The files among some that Git ignores; provided by the Git features. */
export type IgnoredFiles = (files: readonly Uri[]) => Promise<ReadonlySet<Uri>>;

/** Why a file stays closed: it is outside the workspace, part of Git's own data, may hold secrets, or is ignored. */
export type Closed = "outside" | "gitFolder" | "secret" | "ignored";

/** What may be read besides the folders of the workspace. */
export interface Opening {
  /** A folder that the user chose. */
  readonly folder?: Uri | undefined;
  /** Whether files may be outside that no path of the workspace leads to: the user opened them there. */
  readonly allowsOutside?: boolean;
}

/**
 * The gate for every file that goes into a prompt, or is changed, without the user having attached it or selected its
 * lines. It judges by the path as it is and by the one that all links lead to.
 */
export class FileGate {
  readonly #ignored: IgnoredFiles;

  constructor(ignored: IgnoredFiles) {
    this.#ignored = ignored;
  }

  /** Those of the files that stay closed, and why. */
  async closed(files: readonly Uri[], opening: Opening = {}): Promise<ReadonlyMap<Uri, Closed>> {
    const closed = new Map<Uri, Closed>();
    const roots = [...(opening.folder ? [opening.folder] : []), ...rootUris()];
    const git = new GitFolders();
    const judge = async (uri: Uri): Promise<readonly [Uri, Closed | undefined]> => {
      return [uri, await reasonOf(withoutCell(uri), roots, git, opening.allowsOutside)];
    };
    for (const [uri, reason] of await Promise.all(files.map(judge))) if (reason !== undefined) closed.set(uri, reason);
    // Git cannot judge the root of a repository, nor what is not in one.
    const names = new Set(roots.map(String));
    const open = files.filter((uri) => !closed.has(uri) && !names.has(uri.toString()));
    for (const uri of open.length > 0 ? await this.#ignored(open) : []) closed.set(uri, "ignored");
    return closed;
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
): Promise<Closed | undefined> {
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

/** Whether a file is in one of the roots. A file that no disk has yet is nowhere else. */
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

/** The notebook of a cell, which has a URI of its own, or else the same file. */
function withoutCell(uri: Uri): Uri {
  return uri.scheme === "vscode-notebook-cell" ? uri.with({ scheme: "file", fragment: "" }) : uri;
}
