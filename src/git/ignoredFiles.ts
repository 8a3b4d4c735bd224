import type { Uri } from "vscode";
import { UserError } from "../failures/userError.ts";
import { asObject } from "../gateway/wire/json.ts";
import { apiRepositories } from "./gitExtension.ts";
import { rootOf } from "./repository.ts";

/** The files among some that Git ignores. None where there is no Git, or no repository. */
export async function ignoredFiles(files: readonly Uri[]): Promise<ReadonlySet<Uri>> {
  const byPath = new Map(files.filter(({ scheme }) => scheme === "file").map((uri) => [uri.fsPath, uri]));
  const ignored = new Set<Uri>();
  for (const repository of await repositories()) {
    const { checkIgnore } = asObject(repository) ?? {};
    if (typeof checkIgnore !== "function" || rootOf(repository) === undefined) continue;
    // It leaves out paths outside its repository (`repository.ts` of VS Code's Git extension, 1.139).
    const found: unknown = await Reflect.apply(checkIgnore, repository, [[...byPath.keys()]]);
    if (!(found instanceof Set)) continue;
    for (const path of found) {
      const uri = byPath.get(String(path));
      if (uri) ignored.add(uri);
    }
  }
  return ignored;
}

async function repositories(): Promise<readonly unknown[]> {
  try {
    return await apiRepositories();
  } catch (error) {
    if (error instanceof UserError) return [];
    throw error;
  }
}
