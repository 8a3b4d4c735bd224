import { Uri, workspace } from "vscode";
import { GitFolders } from "../text/gitFolders.ts";
import { pathsInRoots, targetOf } from "../text/realPath.ts";
import { runsCode } from "../text/runsCode.ts";

/** The files, by their URIs, that can run code without being started, also through a link. */
export async function filesThatRunCode(uris: readonly string[]): Promise<readonly string[]> {
  const git = new GitFolders();
  const roots = (workspace.workspaceFolders ?? []).map((folder) => folder.uri.fsPath);
  const found = await Promise.all(
    uris.map(async (text) => {
      const uri = Uri.parse(text, true);
      if (uri.scheme === "untitled") return false;
      if (runsCode(workspace.asRelativePath(uri, false))) return true;
      if (uri.scheme !== "file") return false;
      const target = await targetOf(uri.fsPath);
      return (await pathsInRoots(target, roots)).some(runsCode) || (await git.roleOf(target)) !== undefined;
    }),
  );
  return uris.filter((_, index) => found[index]);
}
