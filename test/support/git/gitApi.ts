import { join } from "node:path";
import { Uri } from "vscode";
import type { GitChange, Repository } from "../../../src/git/gitApi.ts";
import { readSettings, type Settings } from "../../../src/settings/settings.ts";
import type { RecordedRequest } from "../gateway/types.ts";
import type { GitFolder } from "./gitFolder.ts";

/** `Status` in the API of VS Code's Git extension, by the two letters of `git status`. */
const staged: Readonly<Record<string, number>> = { M: 0, A: 1, D: 2, R: 3, C: 4, T: 0 };
const unstaged: Readonly<Record<string, number>> = { M: 5, D: 6, "?": 7, A: 9, R: 10, T: 11 };

/** The texts of the messages of the last question. */
export function messagesOf(requests: readonly RecordedRequest[]): readonly string[] {
  const body = requests.at(-1)?.body as { readonly messages: readonly { readonly content: string }[] };
  return body.messages.map(({ content }) => content);
}

/** The default settings with another limit of a model. */
export function limitTo(model: string, maxInputTokens: number): Settings {
  const models = { [model]: { maxInputTokens } };
  return readSettings(() => ({ get: (name: string) => (name === "models" ? models : undefined) }));
}

/** What VS Code's Git extension offers as a repository, answered by Git itself: unit tests run without VS Code. */
export function repositoryOf(repository: GitFolder): Repository {
  const { folder } = repository;
  const run = (...args: readonly string[]): Promise<string> => Promise.try(() => repository.git(...args));
  return {
    rootUri: Uri.file(folder),
    inputBox: { value: "" },
    state: { indexChanges: [], workingTreeChanges: [], untrackedChanges: [] },
    /** Only this renews the state. VS Code does it after a while, too. */
    async status() {
      Object.assign(this.state, await Promise.try(() => stateOf(repository)));
    },
    diffIndexWithHEAD: (path) => run("diff", "--cached", "--", path),
    diffWithHEAD: (path) => run("diff", "--", path),
    diffBlobs: (before, after) => run("diff", before, after),
    log: async ({ maxEntries }) =>
      (await run("log", "--format=%B", "-z", `-n${maxEntries}`))
        .split("\0")
        .slice(0, -1)
        .map((message) => ({ message: message.replace(/\n$/, "") })),
    getCommit: async (ref) => ({ hash: await run("show", "-s", "--format=%H", ref, "--") }),
    getConfig: (key) => run("config", "--local", "--default", "", "--get", key),
    getGlobalConfig: (key) => run("config", "--global", "--default", "", "--get", key),
  };
}

function stateOf(repository: GitFolder): Pick<Repository["state"], "indexChanges" | "workingTreeChanges"> {
  const { folder } = repository;
  const entries = repository.git("status", "--porcelain", "-z", "--untracked-files=all").split("\0");
  const lists = { indexChanges: [] as GitChange[], workingTreeChanges: [] as GitChange[] };
  for (let index = 0; index < entries.length; index += 1) {
    const entry = entries[index] ?? "";
    const [inIndex = " ", inTree = " "] = entry;
    const uri = Uri.file(join(folder, entry.slice(3)));
    if (entry === "" || /^(?:DD|AU|UD|UA|DU|AA|UU)/.test(entry)) continue;
    const isMoved = [inIndex, inTree].some((letter) => letter === "R" || letter === "C");
    const originalUri = isMoved ? Uri.file(join(folder, entries[(index += 1)] ?? "")) : uri;
    const [status, treeStatus] = [staged[inIndex], unstaged[inTree]];
    if (status !== undefined) lists.indexChanges.push({ uri, originalUri, status });
    if (treeStatus !== undefined) lists.workingTreeChanges.push({ uri, originalUri, status: treeStatus });
  }
  return lists;
}
