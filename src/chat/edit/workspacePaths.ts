import { Uri, workspace } from "vscode";
import { quote } from "../../text/safeText.ts";

/** How much of a long path is shown at its start and, because it has the name of the file, at its end, in characters. */
const shownAtStart = 100;
const shownAtEnd = 200;

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
  const named = folders.filter(({ name }) => path.startsWith(`${name}/`));
  const longest = Math.max(...named.map(({ name }) => name.length));
  const [folder, ...same] = named.filter(({ name }) => name.length === longest);
  const rest = path.slice(longest + 1);
  return folder && same.length === 0 && rest !== "" ? Uri.joinPath(folder.uri, rest) : undefined;
}

/** The name by which users see a file, of its URI as text. */
export function shownPath(uri: string): string {
  return quotePath(workspace.asRelativePath(Uri.parse(uri, true)));
}

/** A path made safe to show. A long one is shortened in the middle. */
export function quotePath(path: string): string {
  const characters = Array.from(quote(path, Infinity));
  if (characters.length <= shownAtStart + shownAtEnd) return characters.join("");
  return `${characters.slice(0, shownAtStart).join("")}…${characters.slice(-shownAtEnd).join("")}`;
}
