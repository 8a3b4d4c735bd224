import { dirname, join, relative, sep } from "node:path";
import type { Uri } from "vscode";
import { exists, targetOf } from "../text/realPath.ts";
import { checkIgnore } from "./checkIgnore.ts";

/** Why Git keeps a file out: it ignores the file, or cannot be asked. */
export type GitReason = "ignored" | "unchecked";

/**
 * The files among some that Git ignores, or may ignore: in a repository that cannot be asked, these are all files. `findGit`
 * gives the program, or nothing where none may be run. A file in no repository is not ignored.
 */
export async function ignoredAmong<File extends Pick<Uri, "scheme" | "fsPath">>(
  files: readonly File[],
  findGit: () => Promise<string | undefined>,
): Promise<ReadonlyMap<File, GitReason>> {
  const topOf = topFinder();
  const located = await Promise.all(
    files
      .filter(({ scheme }) => scheme === "file")
      .map(async (file) => {
        // Git judges no path behind a link, nor one in the repository of a submodule.
        const path = await targetOf(file.fsPath);
        return { file, path, top: await topOf(dirname(path)) };
      }),
  );
  const byTop = Map.groupBy(located, ({ top }) => top);
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

/** Finds the nearest folder that is the top of a repository, a worktree, or a submodule: it has a `.git`. */
function topFinder(): (folder: string) => Promise<string | undefined> {
  const known = new Map<string, Promise<string | undefined>>();
  const find = async (folder: string): Promise<string | undefined> => {
    if (await exists(join(folder, ".git"))) return folder;
    return dirname(folder) === folder ? undefined : await topOf(dirname(folder));
  };
  const topOf = (folder: string): Promise<string | undefined> => {
    const found = known.get(folder) ?? find(folder);
    known.set(folder, found);
    return found;
  };
  return topOf;
}
