import type { Uri } from "vscode";
import { UserError } from "../failures/userError.ts";
import { asObject } from "../text/json.ts";
import { realPathOf } from "../text/realPath.ts";
import { apiRepositories, type ApiRepositories } from "./gitExtension.ts";
import { type AskedRepositories, type AskedRepository, ignoredAmong } from "./ignoredAmong.ts";
import { rootOf } from "./repository.ts";

/** The files among some that Git ignores. None where there is no Git, or no repository: see `ignoredAmong`. */
export async function ignoredFiles(files: readonly Uri[]): Promise<ReadonlySet<Uri>> {
  return await ignoredAmong(files, await askedRepositories());
}

/** The open repositories, those inside others first. */
async function askedRepositories(): Promise<AskedRepositories> {
  const { repositories, isComplete } = await openRepositories();
  const asked: AskedRepository[] = [];
  for (const repository of repositories) {
    const { checkIgnore } = asObject(repository) ?? {};
    const root = rootOf(repository);
    if (typeof checkIgnore !== "function" || root === undefined) continue;
    asked.push({
      root: (await realPathOf(root)) ?? root,
      checkIgnore: async (paths) => (await Reflect.apply(checkIgnore, repository, [paths])) as unknown,
    });
  }
  return {
    repositories: asked.toSorted((one, other) => other.root.length - one.root.length),
    mayBeMore: !isComplete,
  };
}

async function openRepositories(): Promise<ApiRepositories> {
  try {
    return await apiRepositories();
  } catch (error) {
    if (error instanceof UserError) return { repositories: [], isComplete: error.kind !== "gitRestricted" };
    throw error;
  }
}
