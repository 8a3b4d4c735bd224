import { readdir, readFile, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { exists, isInside, realPathOf } from "./realPath.ts";

/** The role of a file in Git: data of a repository, or a hook that Git runs. */
type GitRole = "data" | "hook";

/** Maximum size of a file of Git to read, in bytes. */
const maxSize = 1_000_000;

/** Entries of a repository's folder that may be links to data elsewhere. */
const linkable = ["", "config", "config.worktree", "info", "modules"];

/** Whether a path contains a folder `.git`, in any spelling: `GIT~1` is its short name on Windows. */
export function isInGitFolder(path: string): boolean {
  return path.split(/[/\\]/).some((name) => /^(?:\.git|git~\d+)$/i.test(name));
}

/**
 * Finds the role of files in Git, including bare repositories, worktrees and submodules, whose folders have other names than
 * `.git`. `created` are files about to be created, which together may become a repository.
 */
export class GitFolders {
  readonly #created: ReadonlySet<string>;
  readonly #areRepositories = new Map<string, Promise<boolean>>();
  readonly #repositories = new Map<string, Promise<Repository>>();

  constructor(created: Iterable<string> = []) {
    this.#created = new Set([...created].flatMap((path) => [path, ...foldersAbove(path)]).map(foldCase));
  }

  /** The role of a file, if it has one. All links in its path are resolved. */
  async roleOf(path: string): Promise<GitRole | undefined> {
    let role: GitRole | undefined;
    for (const folder of foldersAbove(path)) {
      if (await memoized(this.#areRepositories, folder, () => this.#isRepository(folder))) return "data";
      const { data, hooks } = await memoized(this.#repositories, folder, () => repositoryIn(folder));
      if (data.some((own) => isInside(path, own))) return "data";
      if (hooks.some((own) => isInside(path, own))) role = "hook";
    }
    return role;
  }

  /** Whether a folder looks like a repository to Git; less strict than `is_git_directory` in Git's setup.c. */
  async #isRepository(folder: string): Promise<boolean> {
    const has = async (name: string): Promise<boolean> =>
      this.#created.has(foldCase(join(folder, name))) || (await exists(join(folder, name)));
    if (!(await has("HEAD"))) return false;
    return (await Promise.all(["objects", "refs", "commondir"].map(has))).includes(true);
  }
}

/** Real paths of files and folders of a repository. */
interface Repository {
  readonly data: readonly string[];
  readonly hooks: readonly string[];
}

/** The repository that has a folder as its working tree. */
async function repositoryIn(folder: string): Promise<Repository> {
  const entry = join(folder, ".git");
  if (!(await exists(entry))) return { data: [], hooks: [] };
  const link = /^gitdir: *(.+)/.exec((await textOf(entry)) ?? "")?.[1];
  const own = link === undefined ? entry : resolve(folder, link.trim());
  const common = await textOf(join(own, "commondir"));
  const folders = common === undefined ? [own] : [own, resolve(own, common.trim())];
  const data = folders.flatMap((each) => linkable.map((name) => join(each, name)));
  const hooks = folders.map((each) => join(each, "hooks"));
  for (const each of folders) {
    const path = /^\s*hooksPath\s*=\s*"?([^"\n]+)/im.exec((await textOf(join(each, "config"))) ?? "")?.[1];
    if (path !== undefined) hooks.push(resolve(folder, path.trim()));
  }
  const namesIn = (folder: string): Promise<readonly string[]> => readdir(folder).catch(() => []);
  const each = await Promise.all(hooks.map(async (hook) => (await namesIn(hook)).map((name) => join(hook, name))));
  return { data: await realPaths(data), hooks: await realPaths([...hooks, ...each.flat()]) };
}

/** Ignores case on every system. On case-sensitive ones, that only finds a role for more files. */
function foldCase(path: string): string {
  return path.toLowerCase();
}

async function realPaths(paths: readonly string[]): Promise<readonly string[]> {
  const real = await Promise.all(paths.map(realPathOf));
  return real.filter((path) => path !== undefined);
}

function foldersAbove(path: string): readonly string[] {
  const folder = dirname(path);
  return folder === path ? [] : [folder, ...foldersAbove(folder)];
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    const found = await stat(path);
    return found.isFile() && found.size <= maxSize ? await readFile(path, "utf8") : undefined;
  } catch {
    return undefined;
  }
}

async function memoized<T>(known: Map<string, Promise<T>>, key: string, find: () => Promise<T>): Promise<T> {
  const found = known.get(key) ?? find();
  known.set(key, found);
  return await found;
}
