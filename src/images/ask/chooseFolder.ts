import { l10n, Uri, window, workspace, type WorkspaceFolder } from "vscode";
import { UserError } from "../../failures/userError.ts";
import type { Services } from "../../services.ts";
import { refuseLinkedFolder } from "../refuseLinkedFolder.ts";
import { folderSegments } from "./folderPath.ts";

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
