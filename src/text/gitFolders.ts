import { readdir, readFile, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { exists, isInside, realPathOf } from "./realPath.ts";

/** What a file without links in its path is to Git: data of a repository, or a hook that it runs. */
type GitRole = "data" | "hook";

/** The longest file of Git that is read, in bytes. */
const longest = 1_000_000;

/** What is in a repository's folder and may be a link, so that its data is elsewhere. */
const linkable = ["", "config", "config.worktree", "info", "modules"];

/** Whether a path leads into the folder `.git`, however it is written; `GIT~1` is its short name on Windows. */
export function isInGitFolder(path: string): boolean {
  return path.split(/[/\\]/).some((name) => /^(?:\.git|git~\d+)$/i.test(name));
}

/**
 * Tells what files are to Git, whatever its folders are called: bare repositories, worktrees, and submodules have their own
 * names. `created` has the paths that come into being together, which may become a repository.
 */
export class GitFolders {
  readonly #created: ReadonlySet<string>;
  readonly #shaped = new Map<string, Promise<boolean>>();
  readonly #repositories = new Map<string, Promise<Repository>>();

  constructor(created: Iterable<string> = []) {
    this.#created = new Set([...created].flatMap((path) => [path, ...foldersAbove(path)]).map(foldCase));
  }

  /** The role of a file, by its path with all links resolved. */
  async roleOf(path: string): Promise<GitRole | undefined> {
    let role: GitRole | undefined;
    for (const folder of foldersAbove(path)) {
      if (await remembered(this.#shaped, folder, () => this.#isShaped(folder))) return "data";
      const { data, hooks } = await remembered(this.#repositories, folder, () => repositoryIn(folder));
      if (data.some((own) => isInside(path, own))) return "data";
      if (hooks.some((own) => isInside(path, own))) role = "hook";
    }
    return role;
  }

  /** Whether Git takes a folder for a repository, or nearly (`is_git_directory` in Git's setup.c). */
  async #isShaped(folder: string): Promise<boolean> {
    const has = async (name: string): Promise<boolean> =>
      this.#created.has(foldCase(join(folder, name))) || (await exists(join(folder, name)));
    if (!(await has("HEAD"))) return false;
    return (await Promise.all(["objects", "refs", "commondir"].map(has))).includes(true);
  }
}

/** The real paths of what belongs to a repository. */
interface Repository {
  readonly data: readonly string[];
  readonly hooks: readonly string[];
}

/** The repository whose working tree a folder is. */
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

/** Where case matters to the file system, it does no harm to ignore it. */
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
    return found.isFile() && found.size <= longest ? await readFile(path, "utf8") : undefined;
  } catch {
    return undefined;
  }
}

async function remembered<T>(known: Map<string, Promise<T>>, key: string, find: () => Promise<T>): Promise<T> {
  const found = known.get(key) ?? find();
  known.set(key, found);
  return await found;
}
