import { oneLine } from "../text/lines.ts";

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

export function kindOfStatus(status: number | undefined): ChangeKind | undefined {
  return status === undefined ? undefined : kinds[status];
}

/** Names of lock files, lowercase. */
const lockFiles =
  /^(?:package-lock\.json|npm-shrinkwrap\.json|[\w.-]*\.lock|bun\.lockb|pnpm-lock\.ya?ml|go\.(?:sum|work\.sum)|[\w.-]*\.lockfile|packages\.lock\.json|mix\.lock|package\.resolved|gradle-wrapper\.properties)$/;

/** Paths of generated files, lowercase. */
const generatedFiles =
  /(?:\.min\.(?:js|css|mjs)|\.(?:js|css|mjs)\.map|\.snap|\.pb\.(?:go|cc|h)|_pb2(?:_grpc)?\.pyi?|\.g\.(?:dart|cs)|\.freezed\.dart|\.designer\.cs|[._-]generated\.\w+)$|(?:^|\/)(?:node_modules|vendor|__generated__|generated)\//;

/** Why a request has only the path of a file. */
export type NoDiff = "submodule" | "lock file" | "generated" | "binary" | "large" | "excluded" | "unread";

/** Why a path says all about a file: lock files and generated ones follow from other changes. */
export function briefReason({ path, isSubmodule }: Change): NoDiff | undefined {
  const lower = path.toLowerCase();
  if (isSubmodule) return "submodule";
  if (lockFiles.test(lower.slice(lower.lastIndexOf("/") + 1))) return "lock file";
  return generatedFiles.test(lower) ? "generated" : undefined;
}

/** A path for a prompt: as it is if it is plain, else as a JSON string, which shows where it ends. */
export function quotePath(path: string): string {
  return /^[\w./@+-]+$/.test(path) ? path : JSON.stringify(oneLine(path));
}
