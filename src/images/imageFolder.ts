import { FileSystemError, FileType, l10n, Uri, window, workspace } from "vscode";
import { UserError } from "../failures/userError.ts";
import type { Services } from "../services.ts";
import { unlessMissing } from "../files/fileErrors.ts";
import { isReallyInside } from "../files/realPath.ts";
import { folderSegments } from "./savedImage.ts";
import type { Target } from "./storedImages.ts";

/**
 * Determines the folder for images: the one from the settings, inside the active file's workspace folder or one that
 * the user picks. Without a workspace, the user chooses a folder. `undefined` if none is chosen.
 */
export async function chooseFolder({ settings }: Pick<Services, "settings">): Promise<Uri | undefined> {
  // A workspace may have no folder yet. Then `showWorkspaceFolderPick` would show nothing (VS Code 1.139.1).
  const { workspaceFolders = [] } = workspace;
  if (workspaceFolders.length === 0) return await showFolderDialog();
  const [only, ...others] = workspaceFolders;
  const active = window.activeTextEditor && workspace.getWorkspaceFolder(window.activeTextEditor.document.uri);
  const placeHolder = l10n.t("Where do you want to save the image?");
  const root = others.length === 0 ? only : (active ?? (await window.showWorkspaceFolderPick({ placeHolder })));
  if (root === undefined) return undefined;
  const { imageFolder } = settings(root.uri);
  const segments = folderSegments(imageFolder);
  if (segments === undefined) throw new UserError("folderOutside", { subject: imageFolder });
  const folder = Uri.joinPath(root.uri, ...segments);
  // Checked here, too, so that the user does not describe an image in vain.
  await refuseLinkedFolder(targetIn(folder));
  return folder;
}

export async function showFolderDialog(): Promise<Uri | undefined> {
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
 * Throws `folderLinked` if a folder leads out of its root through a link, because a workspace must not determine where files
 * are written. The root itself may be a link. Version 1.0.0 stored no root: then no link is allowed.
 */
export async function refuseLinkedFolder({ folder, root }: Target): Promise<void> {
  if (folder === root) return;
  const uri = Uri.parse(folder);
  const isInside =
    root !== undefined && uri.scheme === "file"
      ? await isReallyInside(uri.fsPath, [Uri.parse(root).fsPath])
      : !(await hasLink(root === undefined ? uri.with({ path: "/" }) : Uri.parse(root), uri));
  if (!isInside) throw new UserError("folderLinked", { subject: workspace.asRelativePath(uri) });
}

/** Whether a path below the root contains a link, even on a file system that only VS Code can access. */
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
