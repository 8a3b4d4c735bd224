import { setTimeout } from "node:timers/promises";
import { extensions, l10n, type Uri, window, workspace } from "vscode";
import { UserError } from "../failures/userError.ts";
import { asArray, asObject, type JsonObject } from "../base/json.ts";
import { findGit } from "./findGit.ts";
import { type GitReason, ignoredAmong } from "./ignoredAmong.ts";
import { idOf, readRepository, type Repository, type RepositoryKind } from "./repository.ts";

/** How long the Git extension may take to find repositories, and the interval of the checks, in milliseconds. */
const timeout = 10_000;
const interval = 100;

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
  const repositories = (await apiRepositories()).flatMap((value) => readRepository(value) ?? []);
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

/** The files that Git ignores, or may ignore where it is not run, as in Restricted Mode: see `ignoredAmong`. */
export async function ignoredFiles(files: readonly Uri[]): Promise<ReadonlyMap<Uri, GitReason>> {
  return await ignoredAmong(files, async () => {
    if (!workspace.isTrusted) return undefined;
    // Without the Git extension, VS Code does not know that a workspace must not set this.
    const setting: unknown = workspace.getConfiguration("git").inspect("path")?.globalValue;
    // The Git extension may be off.
    const api = await gitApi().catch(() => undefined);
    const folders = (workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === "file");
    return await findGit({
      named: [...(Array.isArray(setting) ? asArray(setting) : [setting]), asObject(api?.git)?.path],
      folders: folders.map(({ uri }) => uri.fsPath),
    });
  });
}

/** The repositories of VS Code's built-in Git extension, which searches for them after VS Code has started. */
async function apiRepositories(): Promise<readonly unknown[]> {
  const api = await gitApi();
  for (let waited = 0; api.state === "uninitialized" && waited < timeout; waited += interval)
    await setTimeout(interval);
  return asArray(api.repositories);
}

/**
 * The API of VS Code's built-in Git extension. It is off in Restricted Mode (VS Code 1.139). Throws a `UserError` if it is
 * not available.
 */
async function gitApi(): Promise<JsonObject> {
  const unavailable = (cause?: unknown): UserError =>
    new UserError(workspace.isTrusted ? "gitUnavailable" : "gitRestricted", { cause });
  const extension = extensions.getExtension<unknown>("vscode.git");
  if (!extension) throw unavailable();
  try {
    const exported = asObject(await extension.activate());
    const getApi = exported?.getAPI;
    // Throws if Git is disabled or not installed.
    const api = typeof getApi === "function" ? asObject(Reflect.apply(getApi, exported, [1])) : undefined;
    if (!api) throw unavailable();
    return api;
  } catch (cause) {
    throw cause instanceof UserError ? cause : unavailable(cause);
  }
}
