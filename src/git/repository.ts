import { readFile, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, join, relative, resolve, sep } from "node:path";
import type { Uri } from "vscode";
import { isSecretPath } from "../reading/secretFiles.ts";
import { isReallyInside } from "../files/realPath.ts";
import { withLineFeeds } from "../text/lines.ts";
import type { GitChange, Repository } from "./gitApi.ts";

/** What happened to a file. */
export type ChangeKind = "added" | "modified" | "deleted" | "renamed" | "copied" | "untracked";

/** A changed file. Paths are relative to the repository, with slashes. */
export interface Change {
  readonly path: string;
  readonly kind: ChangeKind;
  /** The path before a rename, or of the original of a copy. */
  readonly from?: string;
}

/** Number of commits whose style a message follows. */
const latestCommits = 10;

/**
 * `Status` of the Git extension's API, version 1, by number (`git.d.ts`, VS Code 1.139). Conflicts do not count as changes.
 */
const kinds: readonly (ChangeKind | undefined)[] = [
  "modified", // INDEX_MODIFIED
  "added",
  "deleted",
  "renamed",
  "copied",
  "modified", // MODIFIED
  "deleted",
  "untracked",
  undefined, // IGNORED
  "added", // INTENT_TO_ADD
  "renamed", // INTENT_TO_RENAME
  "modified", // TYPE_CHANGED
];

/** The name of a repository: that of its folder. */
export function nameOf({ rootUri }: Pick<Repository, "rootUri">): string {
  return basename(rootUri.fsPath);
}

/** The staged changes, or all changes if nothing is staged. Updates VS Code's list first, which may be outdated. */
export async function readChanges(
  repository: Repository,
): Promise<{ readonly isStaged: boolean; readonly changes: readonly Change[] }> {
  const root = repository.rootUri.fsPath;
  await repository.status();
  const { indexChanges, workingTreeChanges, untrackedChanges } = repository.state;
  const staged = indexChanges.flatMap((change) => readChange(change, root));
  if (staged.length > 0) return { isStaged: true, changes: staged };
  const changes = [...workingTreeChanges, ...untrackedChanges].flatMap((change) => readChange(change, root));
  return { isStaged: false, changes };
}

function readChange({ uri, originalUri, status }: GitChange, root: string): readonly Change[] {
  const kind = kinds[status];
  if (kind === undefined) return [];
  const pathOf = ({ fsPath }: Uri): string => relative(root, fsPath).replaceAll(sep, "/");
  const hasOriginal = kind === "renamed" || kind === "copied";
  return [{ path: pathOf(uri), kind, ...(hasOriginal && { from: pathOf(originalUri) }) }];
}

/** The subjects of the latest commits, the newest first. */
export async function latestSubjects(repository: Repository): Promise<readonly string[]> {
  const commits = await repository.log({ maxEntries: latestCommits }).catch(() => []);
  return commits.flatMap(({ message }) => message.split("\n")[0] ?? []);
}

/**
 * The text of `commit.template`, if that file is in the repository; else empty. `inBox` has the texts that the Git extension
 * puts into the input box, so that nobody has typed them (`getInputTemplate`, VS Code 1.139).
 */
export async function readTemplate(
  repository: Repository,
): Promise<{ readonly template: string; readonly inBox: readonly string[] }> {
  const root = repository.rootUri.fsPath;
  const setting = await templateSetting(repository);
  const file = resolve(root, setting.replace(/^~(?=[/\\])/, homedir()));
  const isOwn = (await isReallyInside(file, [root])) && !(await isSecretPath(file, [root]));
  const [template = "", ...others] = await Promise.all(
    [file, join(root, ".git", "MERGE_MSG"), join(root, ".git", "SQUASH_MSG")].map(readWithoutComments),
  );
  return { template: isOwn ? template : "", inBox: [template, ...others] };
}

/** Maximum size of a template, in bytes. */
const maxTemplate = 100_000;

/** The text of a file as the Git extension shows it, without comments; empty if it cannot be read. */
async function readWithoutComments(file: string): Promise<string> {
  try {
    const found = await stat(file);
    // A repository may name anything, such as a device without an end.
    if (!found.isFile() || found.size > maxTemplate) return "";
    return withLineFeeds((await readFile(file, "utf8")).replace(/^\s*#.*$\n?/gm, "").trim());
  } catch {
    return "";
  }
}

async function templateSetting(repository: Repository): Promise<string> {
  const key = "commit.template";
  try {
    return (await repository.getConfig(key)).trim() || (await repository.getGlobalConfig(key)).trim();
  } catch {
    // Git cannot read its settings.
    return "";
  }
}

/** Whether the next commit is that of a merge, for which Git has written the message. */
export async function isMerging(repository: Repository): Promise<boolean> {
  return await repository.getCommit("MERGE_HEAD").then(
    () => true,
    () => false,
  );
}
