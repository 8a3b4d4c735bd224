import { Uri, workspace } from "vscode";
import { quote } from "../../text/safeText.ts";

/** Maximum length of a path that is shown, in characters. */
export const longestPath = 300;

/** The path by which prompts and answers name a file of the workspace; `undefined` outside of it. */
export function pathOf(uri: Uri): string | undefined {
  return workspace.getWorkspaceFolder(uri) && workspace.asRelativePath(uri);
}

/** The file that a path names. With several folders, a path begins with the name of one. */
export function uriOf(path: string): Uri | undefined {
  const folders = workspace.workspaceFolders ?? [];
  const [only, ...others] = folders;
  if (only === undefined) return undefined;
  if (others.length === 0) return Uri.joinPath(only.uri, path);
  const [name, ...rest] = path.split("/");
  const named = folders.filter((folder) => folder.name === name);
  const [folder, ...same] = named;
  return folder && same.length === 0 && rest.length > 0 ? Uri.joinPath(folder.uri, ...rest) : undefined;
}

/** The name by which users see a file, of its URI as text. */
export function shownPath(uri: string): string {
  return quote(workspace.asRelativePath(Uri.parse(uri, true)), longestPath);
}
