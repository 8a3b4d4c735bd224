import { dirname, join, relative } from "node:path";
import type { Uri } from "vscode";
import { asObject } from "../text/json.ts";
import { exists, isInside, realPathOf } from "../text/realPath.ts";
import { rootOf } from "./repository.ts";

/** Repositories of the Git extension's API, and whether it has found all. */
export interface ApiRepositories {
  readonly repositories: readonly unknown[];
  readonly isComplete: boolean;
}

/** A repository that can be asked which files it ignores. */
interface AskedRepository {
  /** As the Git extension has it: a link or a mapped drive, if the folder was opened so. */
  readonly root: string;
  readonly real: string;
  readonly ask: (paths: readonly string[]) => Promise<readonly string[]>;
}

/**
 * The files among some that Git ignores. A file that Git cannot judge counts as ignored, also one in a repository that
 * cannot be asked. Unless all are found, there may be such, as in Restricted Mode or while Git still looks for them. A file
 * in no repository is not ignored.
 */
export async function ignoredAmong<File extends Pick<Uri, "scheme" | "fsPath">>(
  files: readonly File[],
  { repositories, isComplete }: ApiRepositories,
): Promise<ReadonlySet<File>> {
  const located = (await Promise.all(repositories.map(askedAt))).flat();
  // Those inside others first.
  const innermost = located.toSorted((one, other) => other.real.length - one.real.length);
  const places = files
    .filter(({ scheme }) => scheme === "file")
    .map(async (file) => {
      // Git judges no path behind a link, nor one in the repository of a submodule.
      const path = (await realPathOf(file.fsPath)) ?? file.fsPath;
      const found = innermost.find(({ real }) => isInside(path, real));
      // The Git extension ignores no path outside the root that it has (`checkIgnore` in VS Code 1.139.1).
      const asked = found && join(found.root, relative(found.real, path));
      return { file, path: asked ?? path, repository: found };
    });
  const ignored = new Set<File>();
  for (const [repository, some] of Map.groupBy(await Promise.all(places), (place) => place.repository)) {
    const paths = repository && (await ignoredIn(repository, [...new Set(some.map(({ path }) => path))]));
    for (const { file, path } of some)
      if (paths ? paths.includes(path) : !isComplete && (await isInRepository(path))) ignored.add(file);
  }
  return ignored;
}

async function askedAt(repository: unknown): Promise<readonly AskedRepository[]> {
  const { checkIgnore } = asObject(repository) ?? {};
  const root = rootOf(repository);
  if (typeof checkIgnore !== "function" || root === undefined) return [];
  const ask = async (paths: readonly string[]): Promise<readonly string[]> => {
    const found: unknown = await Reflect.apply(checkIgnore, repository, [paths]);
    return found instanceof Set ? [...found].map(String) : [];
  };
  return [{ root, real: (await realPathOf(root)) ?? root, ask }];
}

/** Whether a folder above a file is a repository, a worktree, or a submodule. */
async function isInRepository(path: string): Promise<boolean> {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (await exists(join(folder, ".git"))) return true;
    if (folder === dirname(folder)) return false;
  }
}

/** The paths that a repository ignores. If it cannot judge one, it is asked about each, so that the others count. */
async function ignoredIn({ ask }: AskedRepository, paths: readonly string[]): Promise<readonly string[]> {
  try {
    return await ask(paths);
  } catch {
    const each = await Promise.all(paths.map((path) => ask([path]).catch(() => [path])));
    return each.flat();
  }
}
