import { readFile, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, isAbsolute, join, relative, sep } from "node:path";
import { isSecretPath } from "../reading/secretFiles.ts";
import { asArray, asCount, asObject, asText, type JsonObject } from "../base/json.ts";
import { isReallyInside } from "../text/realPath.ts";

/** What a folder with a Git repository is. */
export type RepositoryKind = "repository" | "submodule" | "worktree";

/** A Git repository that is open in VS Code. Its message is the text of its input box. */
export type Repository = ReturnType<typeof repositoryAt>;

/** Number of commits whose style a message follows. */
const latestCommits = 10;

/** Maximum size of a commit template, in bytes. */
const largestTemplate = 8_192;

/**
 * Reads a repository of the Git extension's API, version 1 (`extensions/git/src/api/git.d.ts`, VS Code 1.139). As it is the
 * API of another extension, nothing in it is taken for granted. `undefined` if it is not a repository.
 */
export function readRepository(value: unknown): Repository | undefined {
  const api = asObject(value);
  const root = asText(asObject(api?.rootUri)?.fsPath);
  const box = asObject(api?.inputBox);
  if (!api || root === undefined || !box || !asObject(api.state)) return undefined;
  return repositoryAt(root, api, box);
}

function repositoryAt(root: string, api: JsonObject, box: JsonObject) {
  const kind: RepositoryKind = api.kind === "submodule" || api.kind === "worktree" ? api.kind : "repository";
  return {
    id: idOf(api.rootUri),
    /** As VS Code identifies the root. */
    rootUri: api.rootUri,
    /** The name of its folder. */
    name: basename(root),
    kind,
    root,
    get message() {
      return asText(box.value) ?? "";
    },
    set message(value) {
      Object.assign(box, { value });
    },
    /** The staged changes, or all changes if nothing is staged. Updates VS Code's list first, which may be outdated. */
    changes: async () => {
      await call(api, "status");
      return readChanges(asObject(api.state) ?? {}, root);
    },
    /**
     * Git's diff of one file, empty without changes. The path is literal, because a pattern could match files with secrets. The
     * Git extension passes on anything but an absolute path (VS Code 1.139.1).
     */
    diff: async (path: string, isStaged: boolean) =>
      await call(api, isStaged ? "diffIndexWithHEAD" : "diffWithHEAD", `:(top,literal)${path}`),
    /** The diff of a file that is renamed or copied in the index. A path after a revision is no pattern. Stage 0 is the index. */
    renameDiff: async (from: string, path: string) => await call(api, "diffBlobs", `HEAD:${from}`, `:0:${path}`),
    /** The subjects of the latest commits, the newest first. */
    subjects: async () => {
      const commits = asArray(await call(api, "log", { maxEntries: latestCommits }));
      return commits
        .flatMap((commit) => asText(asObject(commit)?.message)?.split("\n")[0] ?? [])
        .slice(0, latestCommits);
    },
    /** The text of `commit.template`, if that file is in the repository. */
    template: async () => readTemplate(asText(await call(api, "getConfig", "commit.template"))?.trim() ?? "", root),
    isMerging: async () => {
      const hasConflicts = asArray(asObject(api.state)?.mergeChanges).length > 0;
      return hasConflicts || (await call(api, "getCommit", "MERGE_HEAD")) !== undefined;
    },
  };
}

/** The id of a repository with this root: the root's URI as text. */
export function idOf(rootUri: unknown): string {
  return String(rootUri);
}

/** The result of a method, or `undefined` if it fails: Git reports a missing commit or setting as a failure. */
async function call(api: JsonObject, name: string, ...parameters: readonly unknown[]): Promise<unknown> {
  const method = api[name];
  if (typeof method !== "function") return undefined;
  return await Promise.try(() => Reflect.apply(method, api, parameters) as unknown).catch(() => undefined);
}

function readChanges(state: JsonObject, root: string) {
  const submodules = new Set(asArray(state.submodules).map((submodule) => asText(asObject(submodule)?.path)));
  const read = (list: unknown, fallback?: ChangeKind): readonly Change[] =>
    asArray(list).flatMap((entry) => {
      const change = asObject(entry);
      const path = pathIn(root, asObject(change?.renameUri) ?? change?.uri);
      const kind = kinds[asCount(change?.status) ?? -1] ?? fallback;
      if (path === undefined || kind === undefined) return [];
      const from = kind === "renamed" || kind === "copied" ? pathIn(root, change?.originalUri) : undefined;
      return [{ path, kind, isSubmodule: submodules.has(path), ...(from !== undefined && { from }) }];
    });
  const staged = read(state.indexChanges);
  if (staged.length > 0) return { isStaged: true, changes: staged };
  const changes = [...read(state.workingTreeChanges), ...read(state.untrackedChanges, "untracked")];
  return { isStaged: false, changes };
}

/** The path in the repository, with slashes. */
function pathIn(root: string, uri: unknown): string | undefined {
  const path = asText(asObject(uri)?.fsPath);
  const relativePath = path === undefined ? "" : relative(root, path);
  return relativePath === "" || relativePath.split(sep)[0] === ".." || isAbsolute(relativePath)
    ? undefined
    : relativePath.split(sep).join("/");
}

async function readTemplate(setting: string, root: string): Promise<string> {
  if (setting === "") return "";
  const template = setting.startsWith("~/") ? join(homedir(), setting.slice(2)) : setting;
  const file = isAbsolute(template) ? template : join(root, template);
  try {
    if (!(await isReallyInside(file, [root])) || (await isSecretPath(file, [root]))) return "";
    const { size } = await stat(file);
    // The Git extension shows it without comments in the input box.
    return size > largestTemplate ? "" : (await readFile(file, "utf8")).replace(/^\s*#.*$\n?/gm, "").trim();
  } catch {
    return "";
  }
}

/** What happened to a file. */
export type ChangeKind = "added" | "modified" | "deleted" | "renamed" | "copied" | "untracked";

/** A changed file. Paths are relative to the repository, with slashes. */
export interface Change {
  readonly path: string;
  readonly kind: ChangeKind;
  /** The path before a rename, or of the original of a copy. */
  readonly from?: string;
  readonly isSubmodule: boolean;
}

/** `Status` of the Git extension's API, version 1, by number (`git.d.ts`, VS Code 1.139). Conflicts are no changes. */
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
