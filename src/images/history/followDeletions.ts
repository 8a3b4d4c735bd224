import type { Uri } from "vscode";

interface Stoppable {
  dispose(): unknown;
}

/** What is followed, and what to do when images may be gone. */
export interface DeletionOptions {
  readonly onDidDelete: (listener: (uri: Pick<Uri, "toString">) => void) => Stoppable;
  /** URIs of the images. */
  readonly files: () => readonly string[];
  readonly onGone: () => void;
  /** Milliseconds for which deletions are collected: a branch that is checked out or a build deletes thousands of files. */
  readonly delay?: number;
}

/** Calls `onGone` when images, or folders with them, have been deleted. Other deletions cost next to nothing. */
export function followDeletions({ onDidDelete, files, onGone, delay = 500 }: DeletionOptions): Stoppable {
  const deleted = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const look = (): void => {
    timer = undefined;
    const isGone = files().some((file) => isIn(file.toLowerCase(), deleted));
    deleted.clear();
    if (isGone) onGone();
  };
  // A file system may tell a name in another case than the one by which the image was saved.
  const listener = onDidDelete((uri) => {
    deleted.add(uri.toString().toLowerCase());
    timer ??= setTimeout(look, delay);
  });
  return {
    dispose: () => {
      clearTimeout(timer);
      listener.dispose();
    },
  };
}

/** Whether a file, or a folder that it is in, is among those that were deleted. */
function isIn(file: string, deleted: ReadonlySet<string>): boolean {
  for (let end = file.length; end > 0; end = file.lastIndexOf("/", end - 1)) {
    if (deleted.has(file.slice(0, end))) return true;
  }
  return false;
}
