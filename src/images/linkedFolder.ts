import { FileSystemError, FileType, Uri, workspace } from "vscode";
import { UserError } from "../failures/userError.ts";
import { isReallyInside } from "../text/realPath.ts";

/**
 * Throws `folderLinked` where a folder inside the workspace is, through a link, somewhere else: a workspace must not say
 * where on the disk files are written. A folder that the user chose outside of the workspace is the user's choice.
 */
export async function refuseLinkedFolder(folder: Uri): Promise<void> {
  const root = workspace.getWorkspaceFolder(folder)?.uri;
  if (root === undefined) return;
  const roots = (workspace.workspaceFolders ?? []).map(({ uri }) => uri).filter(({ scheme }) => scheme === "file");
  const isInside =
    folder.scheme === "file"
      ? await isReallyInside(
          folder.fsPath,
          roots.map(({ fsPath }) => fsPath),
        )
      : !(await hasLink(root, folder));
  if (!isInside) throw new UserError("folderLinked", { subject: workspace.asRelativePath(folder) });
}

/** Whether there is a link on the way from a folder to one inside it, on a file system that only VS Code knows. */
async function hasLink(root: Uri, folder: Uri): Promise<boolean> {
  const segments = folder.path.slice(root.path.length).split("/").filter(Boolean);
  for (let depth = 1; depth <= segments.length; depth += 1) {
    const type = await typeOf(Uri.joinPath(root, ...segments.slice(0, depth)));
    if (type === undefined) return false;
    if ((type & FileType.SymbolicLink) !== 0) return true;
  }
  return false;
}

async function typeOf(uri: Uri): Promise<FileType | undefined> {
  try {
    return (await workspace.fs.stat(uri)).type;
  } catch (error) {
    if (error instanceof FileSystemError && error.code === "FileNotFound") return undefined;
    throw error;
  }
}
