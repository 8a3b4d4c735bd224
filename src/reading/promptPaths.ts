import { Uri, workspace } from "vscode";

/** The path of a file of the workspace in prompts and answers; `undefined` outside of it. */
export function pathOf(uri: Uri): string | undefined {
  const folder = workspace.getWorkspaceFolder(uri);
  if (!folder) return undefined;
  // For a workspace folder itself, VS Code returns the absolute path (VS Code 1.139).
  return isSame(uri, folder.uri) ? folder.name : workspace.asRelativePath(uri);
}

/** The path of a file in the workspace or the attached `folder`, or else its name. Folders above are not sent. */
export function nameInRequests(uri: Uri, folder?: Uri): string {
  const path = pathOf(uri);
  if (path !== undefined) return path;
  const root = folder?.path.replace(/\/$/, "");
  const isBelow = root !== undefined && uri.path.startsWith(`${root}/`);
  return isBelow ? basename(root) + uri.path.slice(root.length) : basename(uri.path);
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

/**
 * Text that a tool has written, such as the message of a diagnostic, for a prompt: with relative instead of absolute paths in
 * the workspace, and "~" for the home folder.
 */
export function withRelativePaths(text: string): string {
  const folders = workspace.workspaceFolders ?? [];
  const roots = folders.flatMap(({ uri, name }) =>
    formsOf(uri).map((form) => ({ form, inside: folders.length > 1 ? `${name}/` : "", itself: name })),
  );
  const home = process.getBuiltinModule("node:os").homedir();
  if (home.length > 1) for (const form of formsOf(Uri.file(home))) roots.push({ form, inside: "~/", itself: "~" });
  return roots
    .toSorted((one, other) => other.form.length - one.form.length)
    .reduce((rest, { form, inside, itself }) => {
      const flags = process.platform === "linux" ? "g" : "gi";
      // Not inside a longer path, such as ./src/app for a folder /app, but after -I or an escaped line break.
      const root = `(?<!(?<![-\\\\])[\\w.@])${form.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}`;
      return rest
        .replace(new RegExp(`${root}(?:[/\\\\]|%2F)+(?=[^\\s"'])`, flags), () => inside)
        .replace(new RegExp(`${root}(?![\\w.-])`, flags), () => itself);
    }, text);
}

/** The forms in which tools write the path of a folder: as a path, as a URI, with links resolved, and escaped as in JSON. */
function formsOf(uri: Uri): readonly string[] {
  const paths = [uri.fsPath, uri.path];
  try {
    // Activation must not load modules of Node.js.
    if (uri.scheme === "file") paths.push(process.getBuiltinModule("node:fs").realpathSync.native(uri.fsPath));
  } catch {
    // The folder does not exist.
  }
  const all = [...paths, ...paths.map((path) => path.replaceAll("\\", "\\\\")), uri.toString(), uri.toString(true)];
  return [...new Set(all.map((form) => form.replace(/[/\\]+$/, "")))].filter((form) => form.length > 1);
}

function basename(path: string): string {
  return path.replace(/\/$/, "").replace(/^.*\//s, "");
}

function isSame(one: Uri, other: Uri): boolean {
  return one.toString().replace(/\/$/, "") === other.toString().replace(/\/$/, "");
}
