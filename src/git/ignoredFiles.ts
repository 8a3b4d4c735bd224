import type { Uri } from "vscode";
import { UserError } from "../failures/userError.ts";
import { asObject } from "../gateway/wire/json.ts";
import { isInside, realPathOf } from "../text/realPath.ts";
import { apiRepositories } from "./gitExtension.ts";
import { rootOf } from "./repository.ts";

/** A repository that can be asked which files it ignores. */
interface Asked {
  readonly root: string;
  readonly checkIgnore: (paths: readonly string[]) => Promise<unknown>;
}

/**
 * The files among some that Git ignores. None where there is no Git, or no repository. A file that Git cannot judge counts
 * as ignored.
 */
export async function ignoredFiles(files: readonly Uri[]): Promise<ReadonlySet<Uri>> {
  const repositories = await askedRepositories();
  const byRepository = new Map<Asked, Map<string, Uri>>();
  for (const uri of files) {
    if (uri.scheme !== "file") continue;
    // Git judges no path behind a link, nor one in the repository of a submodule.
    const path = (await realPathOf(uri.fsPath)) ?? uri.fsPath;
    const repository = repositories.find(({ root }) => isInside(path, root));
    if (!repository) continue;
    const paths = byRepository.get(repository) ?? new Map<string, Uri>();
    byRepository.set(repository, paths.set(path, uri));
  }
  const ignored = new Set<Uri>();
  for (const [repository, byPath] of byRepository) {
    for (const path of await ignoredIn(repository, [...byPath.keys()])) {
      const uri = byPath.get(path);
      if (uri) ignored.add(uri);
    }
  }
  return ignored;
}

/** The paths that a repository ignores. If it cannot judge one, it is asked about each, so that the others count. */
async function ignoredIn({ checkIgnore }: Asked, paths: readonly string[]): Promise<readonly string[]> {
  const ask = async (some: readonly string[]): Promise<readonly string[]> => {
    const found = await checkIgnore(some);
    return found instanceof Set ? [...found].map(String) : [];
  };
  try {
    return await ask(paths);
  } catch {
    const each = await Promise.all(paths.map((path) => ask([path]).catch(() => [path])));
    return each.flat();
  }
}

/** The open repositories, those inside others first. */
async function askedRepositories(): Promise<readonly Asked[]> {
  const asked: Asked[] = [];
  for (const repository of await openRepositories()) {
    const { checkIgnore } = asObject(repository) ?? {};
    const root = rootOf(repository);
    if (typeof checkIgnore !== "function" || root === undefined) continue;
    asked.push({
      root: (await realPathOf(root)) ?? root,
      checkIgnore: async (paths) => (await Reflect.apply(checkIgnore, repository, [paths])) as unknown,
    });
  }
  return asked.toSorted((one, other) => other.root.length - one.root.length);
}

async function openRepositories(): Promise<readonly unknown[]> {
  try {
    return await apiRepositories();
  } catch (error) {
    if (error instanceof UserError) return [];
    throw error;
  }
}
