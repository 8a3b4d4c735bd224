import { setTimeout } from "node:timers/promises";
import { extensions, l10n, type Uri, window, workspace } from "vscode";
import { UserError } from "../failures/userError.ts";
import { asArray, asObject } from "../text/json.ts";
import { type ApiRepositories, ignoredAmong } from "./ignoredAmong.ts";
import { idOf, readRepository, type Repository, type RepositoryKind } from "./repository.ts";

/** Time that the Git extension gets to find repositories, and between two looks, in milliseconds. */
const longestWait = 10_000;
const pause = 100;

const kindNames: Readonly<Record<RepositoryKind, () => string>> = {
  repository: () => "",
  submodule: () => l10n.t("Submodule"),
  worktree: () => l10n.t("Worktree"),
};

/**
 * The repository that a command is about: the one whose button was clicked, which VS Code passes as a `SourceControl`,
 * the only one, or the one that the user picks from a list with this title. `undefined` if the user picks none.
 */
export async function chooseRepository(argument: unknown, title: string): Promise<Repository | undefined> {
  const repositories = (await apiRepositories()).repositories.flatMap((value) => readRepository(value) ?? []);
  const { rootUri } = asObject(argument) ?? {};
  const clicked = rootUri === undefined ? undefined : repositories.find(({ id }) => id === idOf(rootUri));
  if (clicked) return clicked;
  if (repositories.length === 0) throw new UserError("noRepository");
  if (repositories.length === 1) return repositories[0];
  const rows = repositories.map((repository) => ({
    label: repository.name,
    description: kindNames[repository.kind](),
    detail: repository.root,
    repository,
  }));
  const picked = await window.showQuickPick(rows, { title });
  return picked?.repository;
}

/** The files among some that Git ignores. None where there is no Git, or no repository: see `ignoredAmong`. */
export async function ignoredFiles(files: readonly Uri[]): Promise<ReadonlySet<Uri>> {
  const found = await apiRepositories().catch((error: unknown) => {
    if (!(error instanceof UserError)) throw error;
    return { repositories: [], isComplete: error.kind !== "gitRestricted" };
  });
  return await ignoredAmong(files, found);
}

/**
 * The repositories as VS Code's built-in Git extension gives them, and whether it has found all that it looks for, which it
 * does after VS Code has started. It is off in Restricted Mode (VS Code 1.139). Throws a `UserError` if it is not
 * available.
 */
async function apiRepositories(): Promise<ApiRepositories> {
  const unavailable = (cause?: unknown): UserError =>
    new UserError(workspace.isTrusted ? "gitUnavailable" : "gitRestricted", { cause });
  const extension = extensions.getExtension<unknown>("vscode.git");
  if (!extension) throw unavailable();
  try {
    const exported = asObject(await extension.activate());
    const getApi = exported?.getAPI;
    if (typeof getApi !== "function") throw unavailable();
    // Throws if Git is disabled or not installed.
    const api = asObject(Reflect.apply(getApi, exported, [1]));
    const isComplete = (): boolean => api?.state !== "uninitialized";
    for (let waited = 0; !isComplete() && waited < longestWait; waited += pause) await setTimeout(pause);
    return { repositories: asArray(api?.repositories), isComplete: isComplete() };
  } catch (cause) {
    throw cause instanceof UserError ? cause : unavailable(cause);
  }
}
