import { FileSystemError, FileType, l10n, Uri, window, workspace, type WorkspaceFolder } from "vscode";
import { UserError } from "../failures/userError.ts";
import type { Services } from "../services.ts";
import { unlessMissing } from "../text/fileErrors.ts";
import { isReallyInside } from "../text/realPath.ts";
import { folderSegments } from "./savedImage.ts";
import type { Target } from "./storedImages.ts";

/**
 * Determines the folder for images: the one from the settings, inside the active file's workspace folder or one that
 * the user picks. Without a workspace, the user chooses a folder. `undefined` if none is chosen.
 */
export async function chooseFolder({ settings }: Pick<Services, "settings">): Promise<Uri | undefined> {
  // A workspace may have no folder yet. Then `showWorkspaceFolderPick` would show nothing (VS Code 1.139.1).
  const { workspaceFolders = [] } = workspace;
  if (workspaceFolders.length === 0) return await askFolder();
  const root = await chooseWorkspaceFolder(workspaceFolders);
  if (root === undefined) return undefined;
  const { imageFolder } = settings(root.uri);
  const segments = folderSegments(imageFolder);
  if (segments === undefined) throw new UserError("folderOutside", { subject: imageFolder });
  const folder = Uri.joinPath(root.uri, ...segments);
  // Before the user describes an image, and not only before it is ordered.
  await refuseLinkedFolder(folder);
  return folder;
}

async function chooseWorkspaceFolder(folders: readonly WorkspaceFolder[]): Promise<WorkspaceFolder | undefined> {
  if (folders.length === 1) return folders[0];
  const active = window.activeTextEditor?.document.uri;
  const folder = active && workspace.getWorkspaceFolder(active);
  return (
    folder ?? (await window.showWorkspaceFolderPick({ placeHolder: l10n.t("Where do you want to save the image?") }))
  );
}

export async function askFolder(): Promise<Uri | undefined> {
  const title = l10n.t("Choose a folder for the image");
  const chosen = await window.showOpenDialog({ title, canSelectFolders: true, canSelectFiles: false });
  return chosen?.[0];
}

/** The destination of an image: a folder and its workspace folder, or itself if it is in none. */
export function targetIn(folder: Uri): Required<Target> {
  const root = workspace.getWorkspaceFolder(folder)?.uri ?? folder;
  return { folder: folder.toString(), root: root.toString() };
}

/**
 * Throws `folderLinked` if a folder inside the workspace leads outside through a link, because a workspace must not
 * determine where files are written. A folder that the user chose outside the workspace is allowed. `root` is the folder
 * of the workspace that it was chosen in, which may be that of another window.
 */
export async function refuseLinkedFolder(folder: Uri, root = workspace.getWorkspaceFolder(folder)?.uri): Promise<void> {
  if (root === undefined) return;
  const open = (workspace.workspaceFolders ?? []).map(({ uri }) => uri);
  const isOpen = open.some((uri) => uri.toString() === root.toString());
  const roots = (isOpen ? open : [root]).flatMap(({ scheme, fsPath }) => (scheme === "file" ? [fsPath] : []));
  const isFile = folder.scheme === "file";
  const isInside = isFile ? await isReallyInside(folder.fsPath, roots) : !(await hasLink(root, folder));
  if (!isInside) throw new UserError("folderLinked", { subject: workspace.asRelativePath(folder) });
}

/** Throws `folderLinked` if a folder is reached through any link. For images whose workspace folder is unknown. */
export async function refuseAnyLink(folder: Uri): Promise<void> {
  const isLinked = await hasLink(folder.with({ path: "/" }), folder);
  if (isLinked) throw new UserError("folderLinked", { subject: workspace.asRelativePath(folder) });
}

/** Whether a path below the root contains a link, also on a file system that only VS Code can access. */
async function hasLink(root: Uri, folder: Uri): Promise<boolean> {
  const segments = folder.path.slice(root.path.length).split("/").filter(Boolean);
  for (let depth = 1; depth <= segments.length; depth += 1) {
    const type = await typeOf(Uri.joinPath(root, ...segments.slice(0, depth)));
    if (type === undefined) return false;
    if ((type & FileType.SymbolicLink) !== 0) return true;
  }
  return false;
}

/** The type of a file or folder; `undefined` if there is none. */
export async function typeOf(uri: Uri): Promise<FileType | undefined> {
  const isGone = (error: unknown): boolean => error instanceof FileSystemError && error.code === "FileNotFound";
  return (await unlessMissing(workspace.fs.stat(uri), isGone))?.type;
}
