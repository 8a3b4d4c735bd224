import { dirname, join, relative, sep } from "node:path";
import type { Uri } from "vscode";
import { exists, targetOf } from "../files/realPath.ts";
import { checkIgnore } from "./checkIgnore.ts";

/** Git ignores a file, or cannot check whether it does. */
export type GitReason = "ignored" | "unchecked";

/**
 * The files that Git ignores, or may ignore: all files of a repository that Git cannot check. `findGit` returns the program,
 * or `undefined` where none may be run. A file outside of repositories is not ignored.
 */
export async function ignoredAmong<File extends Pick<Uri, "scheme" | "fsPath">>(
  files: readonly File[],
  findGit: () => Promise<string | undefined>,
): Promise<ReadonlyMap<File, GitReason>> {
  const located = await Promise.all(
    files
      .filter(({ scheme }) => scheme === "file")
      // Git checks no path behind a link, and none in a submodule.
      .map(async (file) => ({ file, path: await targetOf(file.fsPath) })),
  );
  const folders = [...new Set(located.map(({ path }) => dirname(path)))];
  const tops = new Map(await Promise.all(folders.map(async (folder) => [folder, await repositoryOf(folder)] as const)));
  const byTop = Map.groupBy(located, ({ path }) => tops.get(dirname(path)));
  byTop.delete(undefined);
  const git = byTop.size > 0 ? await findGit() : undefined;
  const reasons = new Map<File, GitReason>();
  for (const [top = "", some] of byTop) {
    const paths = new Map(some.map(({ file, path }) => [file, relative(top, path).replaceAll(sep, "/")]));
    const answers = git === undefined ? undefined : await checkIgnore(git, top, [...new Set(paths.values())]);
    for (const [file, path] of paths) {
      const isIgnored = answers?.get(path);
      if (isIgnored !== false) reasons.set(file, isIgnored ? "ignored" : "unchecked");
    }
  }
  return reasons;
}

/** The top folder of the repository, worktree or submodule of a folder: the nearest one with a `.git`. */
async function repositoryOf(folder: string): Promise<string | undefined> {
  if (await exists(join(folder, ".git"))) return folder;
  return dirname(folder) === folder ? undefined : await repositoryOf(dirname(folder));
}
