import { setTimeout } from "node:timers/promises";
import { extensions, type Uri, window, workspace } from "vscode";
import { asObject } from "../base/json.ts";
import { UserError } from "../failures/userError.ts";
import { findGit } from "./findGit.ts";
import type { GitApi, Repository } from "./gitApi.ts";
import { type GitReason, ignoredAmong } from "./ignoredAmong.ts";
import { nameOf } from "./repository.ts";

/** How long the Git extension may take to find repositories, and the interval of the checks, in milliseconds. */
const [timeout, interval] = [10_000, 100];

/**
 * The repository that a command is about: the one whose button was clicked, which VS Code passes as a `SourceControl`,
 * the only one, or the one that the user picks from a list with this title. `undefined` if the user picks none.
 */
export async function chooseRepository(argument: unknown, title: string): Promise<Repository | undefined> {
  const repositories = await openRepositories();
  const { rootUri } = asObject(argument) ?? {};
  const clicked = repositories.find((repository) => String(repository.rootUri) === String(rootUri));
  if (clicked) return clicked;
  if (repositories.length === 0) throw new UserError("noRepository");
  if (repositories.length === 1) return repositories[0];
  const rows = repositories.map((repository) => {
    return { label: nameOf(repository), detail: repository.rootUri.fsPath, repository };
  });
  return (await window.showQuickPick(rows, { title }))?.repository;
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
      named: [setting, api?.git.path].flat(),
      folders: folders.map(({ uri }) => uri.fsPath),
    });
  });
}

/** The repositories of VS Code's built-in Git extension, which searches for them after VS Code has started. */
async function openRepositories(): Promise<readonly Repository[]> {
  const api = await gitApi();
  for (let waited = 0; api.state === "uninitialized" && waited < timeout; waited += interval)
    await setTimeout(interval);
  return api.repositories;
}

/**
 * The API of VS Code's built-in Git extension. It is off in Restricted Mode (VS Code 1.139). Throws a `UserError` if it is
 * not available.
 */
async function gitApi(): Promise<GitApi> {
  try {
    const extension = extensions.getExtension<{ getAPI(version: 1): GitApi }>("vscode.git");
    if (!extension) throw new Error("VS Code's Git extension is off.");
    // Throws if Git is disabled or not installed.
    return (await extension.activate()).getAPI(1);
  } catch (cause) {
    throw new UserError(workspace.isTrusted ? "gitUnavailable" : "gitRestricted", { cause });
  }
}
