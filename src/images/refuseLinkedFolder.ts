import { FileSystemError, FileType, Uri, workspace } from "vscode";
import { UserError } from "../failures/userError.ts";
import { isReallyInside } from "../text/realPath.ts";

/**
 * Throws `folderLinked` if a folder inside the workspace leads outside through a link, because a workspace must not
 * determine where files are written. A folder that the user chose outside the workspace is allowed. `root` is the folder
 * of the workspace that it was chosen in, which may be that of another window.
 */
export async function refuseLinkedFolder(folder: Uri, root = workspace.getWorkspaceFolder(folder)?.uri): Promise<void> {
  if (root === undefined) return;
  const open = (workspace.workspaceFolders ?? []).map(({ uri }) => uri);
  const isOpen = open.some((uri) => uri.toString() === root.toString());
  const roots = (isOpen ? open : [root]).filter(({ scheme }) => scheme === "file");
  const isInside =
    folder.scheme === "file"
      ? await isReallyInside(
          folder.fsPath,
          roots.map(({ fsPath }) => fsPath),
        )
      : !(await hasLink(root, folder));
  if (!isInside) throw new UserError("folderLinked", { subject: workspace.asRelativePath(folder) });
}

/** Whether a path contains a link, on a file system that only VS Code can access. */
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
