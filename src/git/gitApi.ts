import type { Uri } from "vscode";

/** What the extension uses of VS Code's Git API, version 1 (`extensions/git/src/api/git.d.ts`, VS Code 1.139). */
export interface GitApi {
  readonly state: "uninitialized" | "initialized";
  readonly git: { readonly path: string };
  readonly repositories: readonly Repository[];
}

/** A Git repository that is open in VS Code. Its methods reject where Git fails, for example without commits. */
export interface Repository {
  readonly rootUri: Uri;
  readonly inputBox: { value: string };
  readonly state: {
    readonly indexChanges: readonly GitChange[];
    readonly workingTreeChanges: readonly GitChange[];
    /** Files that Git does not track, if the setting `git.untrackedChanges` separates them from the others. */
    readonly untrackedChanges: readonly GitChange[];
  };
  /** Updates the state, which may be outdated. */
  status(): Promise<void>;
  diffIndexWithHEAD(path: string): Promise<string>;
  diffWithHEAD(path: string): Promise<string>;
  diffBlobs(object1: string, object2: string): Promise<string>;
  log(options: { readonly maxEntries: number }): Promise<readonly { readonly message: string }[]>;
  getCommit(ref: string): Promise<unknown>;
  /** A setting of the repository itself. */
  getConfig(key: string): Promise<string>;
  /** A setting of the user. */
  getGlobalConfig(key: string): Promise<string>;
}

/** A changed file in the state of a repository. */
export interface GitChange {
  /** The path after the change. */
  readonly uri: Uri;
  readonly originalUri: Uri;
  readonly status: number;
}
