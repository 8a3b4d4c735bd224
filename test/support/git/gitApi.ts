import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { UserError } from "../../../src/failures/userError.ts";
import { readRepository, type Repository } from "../../../src/git/repository.ts";
import { readSettings, type Settings } from "../../../src/settings/settings.ts";
import type { RecordedRequest } from "../gateway/types.ts";
import type { GitFolder } from "./gitFolder.ts";

/** `Status` in the API of VS Code's Git extension, by the two letters of `git status`. */
const staged: Readonly<Record<string, number>> = { M: 0, A: 1, D: 2, R: 3, C: 4, T: 0 };
const unstaged: Readonly<Record<string, number>> = { M: 5, D: 6, "?": 7, A: 9, R: 10, T: 11 };

/** The repository as the extension reads it. */
export function repositoryOf(repository: GitFolder): Repository {
  const read = readRepository(gitApiOf(repository));
  if (!read) throw new Error("The repository cannot be read.");
  return read;
}

/** The texts of the messages of the last question. */
export function messagesOf(requests: readonly RecordedRequest[]): readonly string[] {
  const body = requests.at(-1)?.body as { readonly messages: readonly { readonly content: string }[] };
  return body.messages.map(({ content }) => content);
}

/** The kind of the failure of some work. */
export async function refusalOf(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.then(
    () => new Error("It succeeded."),
    (reason: unknown) => reason,
  );
  return error instanceof UserError ? error.kind : String(error);
}

/** The default settings with another limit of a model. */
export function limitTo(model: string, maxInputTokens: number): Settings {
  const models = { [model]: { maxInputTokens } };
  return readSettings(() => ({ get: (name: string) => (name === "models" ? models : undefined) }));
}

/**
 * What VS Code's Git extension offers as a repository, version 1 of its API, answered by Git itself in the same words:
 * unit tests run without VS Code.
 */
export function gitApiOf(repository: GitFolder): Readonly<Record<string, unknown>> {
  const { folder } = repository;
  const run = (...args: readonly string[]): Promise<string> => Promise.try(() => repository.git(...args));
  const api = {
    rootUri: uriOf(folder),
    inputBox: { value: "" },
    state: {},
    /** Only this renews the state. VS Code does it after a while, too. */
    status: async () => Object.assign(api.state, await Promise.try(() => stateOf(repository))),
    diffIndexWithHEAD: (path: string) => run("diff", "--cached", "--", path),
    diffWithHEAD: (path: string) => run("diff", "--", path),
    diffBlobs: (before: string, after: string) => run("diff", before, after),
    log: async ({ maxEntries }: { readonly maxEntries: number }) =>
      (await run("log", "--format=%B", "-z", `-n${maxEntries}`))
        .split("\0")
        .slice(0, -1)
        .map((message) => ({ message: message.replace(/\n$/, "") })),
    getCommit: async (ref: string) => ({ hash: await run("show", "-s", "--format=%H", ref, "--") }),
    getConfig: (key: string) => run("config", "--get", "--local", key),
  };
  return api;
}

function stateOf(repository: GitFolder): object {
  const { folder } = repository;
  const entries = repository.git("status", "--porcelain", "-z", "--untracked-files=all").split("\0");
  const lists = { indexChanges: [] as object[], workingTreeChanges: [] as object[], mergeChanges: [] as object[] };
  for (let index = 0; index < entries.length; index += 1) {
    const entry = entries[index] ?? "";
    const [inIndex = " ", inTree = " "] = entry;
    const uri = uriOf(join(folder, entry.slice(3)));
    if (entry === "") continue;
    if (/^(?:DD|AU|UD|UA|DU|AA|UU)/.test(entry)) lists.mergeChanges.push({ uri, originalUri: uri, status: 18 });
    else {
      const isMoved = [inIndex, inTree].some((letter) => letter === "R" || letter === "C");
      const originalUri = isMoved ? uriOf(join(folder, entries[(index += 1)] ?? "")) : uri;
      const renameUri = isMoved ? uri : undefined;
      const status = staged[inIndex];
      // As in the API, `uri` of a rename in the index is the new path too.
      if (status !== undefined) lists.indexChanges.push({ uri, originalUri, renameUri, status });
      const treeStatus = unstaged[inTree];
      if (treeStatus !== undefined) lists.workingTreeChanges.push({ uri, originalUri, renameUri, status: treeStatus });
    }
  }
  const modules = repository.git("submodule", "status").split("\n").filter(Boolean);
  const submodules = modules.map((line) => ({ path: line.slice(1).split(" ")[1] }));
  return { ...lists, untrackedChanges: [], submodules };
}

function uriOf(path: string): object {
  return { fsPath: path, toString: () => pathToFileURL(path).href };
}
