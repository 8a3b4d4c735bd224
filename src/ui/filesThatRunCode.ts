import { RelativePattern, Uri, workspace } from "vscode";
import { GitFolders } from "../files/gitFolders.ts";
import { pathsInRoots, targetOf } from "../files/realPath.ts";
import { mentionsFile, isToolFile } from "../files/toolFiles.ts";

/** Maximum number of configuration files that are read in a folder, and of bytes of each. */
const max = { files: 100, bytes: 64 * 1024 };

/** Files that can run code, but do not name files that do: lock files, ignore files, and instructions. */
const namesNone = /(?:[.-]lock(?:\.\w+)?|ignore|\.md)$/i;

/** The URIs of files that can run code without being started: by name, through a link, or because configuration names them. */
export async function filesThatRunCode(uris: readonly string[]): Promise<readonly string[]> {
  const git = new GitFolders();
  const roots = (workspace.workspaceFolders ?? []).map((folder) => folder.uri.fsPath);
  const known = new Map<string, Promise<readonly string[]>>();
  const isNamed = async (uri: Uri): Promise<boolean> => {
    const root = workspace.getWorkspaceFolder(uri)?.uri;
    const names = root ? uri.path.slice(root.path.length).split("/").filter(Boolean) : [];
    for (let depth = 0; root && depth < names.length; depth += 1) {
      const folder = Uri.joinPath(root, ...names.slice(0, depth));
      const texts = known.get(folder.path) ?? configurationIn(folder);
      known.set(folder.path, texts);
      if ((await texts).some((text) => mentionsFile(text, names.slice(depth).join("/")))) return true;
    }
    return false;
  };
  const found = await Promise.all(
    uris.map(async (text) => {
      const uri = Uri.parse(text, true);
      if (uri.scheme === "untitled") return false;
      if (isToolFile(workspace.asRelativePath(uri, false)) || (await isNamed(uri))) return true;
      if (uri.scheme !== "file") return false;
      const target = await targetOf(uri.fsPath);
      if ((await pathsInRoots(target, roots)).some(isToolFile) || (await git.roleOf(target)) !== undefined) return true;
      return target !== uri.fsPath && (await isNamed(Uri.file(target)));
    }),
  );
  return uris.filter((_, index) => found[index]);
}

/** The contents of the readable configuration files in a folder and in its dotfolders. */
async function configurationIn(folder: Uri): Promise<readonly string[]> {
  // Not in Git's own data, which names all files.
  const files = await workspace.findFiles(new RelativePattern(folder, "{*,.*/*}"), "**/.git/**", 1_000);
  const isConfiguration = ({ path }: Uri): boolean =>
    isToolFile(path.slice(folder.path.length).replace(/^\//, "")) && !namesNone.test(path);
  const read = files
    .filter(isConfiguration)
    .slice(0, max.files)
    .map(async (file) => {
      const { size } = await workspace.fs.stat(file);
      return size > max.bytes ? "" : Buffer.from(await workspace.fs.readFile(file)).toString("utf8");
    });
  return (await Promise.allSettled(read)).map((one) => (one.status === "fulfilled" ? one.value : ""));
}
